#include "tidegate/frontend/rls/answer.h"

#include <envoy/service/ratelimit/v3/rls.pb.h>
#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <limits>

#include "tidegate/frontend/rls/dynamic_metadata.h"

namespace tidegate::frontend::rls {
namespace {

using envoy::service::ratelimit::v3::RateLimitResponse;
using DescriptorStatus = RateLimitResponse::DescriptorStatus;
using RateLimit = RateLimitResponse::RateLimit;

RateLimit::Unit unit_of(Duration period) {
  using std::chrono::hours;
  constexpr std::pair<Duration, RateLimit::Unit> kUnits[] = {
      {std::chrono::seconds{1}, RateLimit::SECOND},
      {std::chrono::minutes{1}, RateLimit::MINUTE},
      {hours{1}, RateLimit::HOUR},
      {hours{24}, RateLimit::DAY},
      {hours{std::int64_t{24} * 7}, RateLimit::WEEK},
      {hours{std::int64_t{24} * 30}, RateLimit::MONTH},
      {hours{std::int64_t{24} * 365}, RateLimit::YEAR}};
  const auto* const found = std::find_if(std::begin(kUnits), std::end(kUnits),
                                         [&](const auto& unit) { return unit.first == period; });
  return found == std::end(kUnits) ? RateLimit::UNKNOWN : found->second;
}

void write_limit(const rules::Met& met, const Limit& limit, RateLimit& into) {
  into.set_requests_per_unit(limit.tokens());
  into.set_unit(unit_of(limit.period()));
  if (met.rule != nullptr) into.set_name(met.rule->name);
}

void write_decision(const RuleCall& call, const rules::Met& met, DescriptorStatus& into) {
  const Decision& decision = *call.decision(met);
  into.set_code(call.over(met) ? RateLimitResponse::OVER_LIMIT : RateLimitResponse::OK);
  write_limit(met, call.take(met)->limit, *into.mutable_current_limit());
  into.set_limit_remaining(remaining_of(decision));
  into.mutable_duration_until_reset()->set_seconds(seconds_until_change(decision));
}

void write_status(const RuleCall& call, const rules::Met& met, DescriptorStatus& into) {
  into.set_code(RateLimitResponse::OK);
  if (met.outcome == rules::Outcome::kUnlimited)
    into.set_limit_remaining(std::numeric_limits<std::uint32_t>::max());
  if (met.outcome == rules::Outcome::kTake) write_decision(call, met, into);
}

}  // namespace

Answer::Answer() : message_{std::make_unique<RateLimitResponse>()} {}

Answer::~Answer() = default;

void Answer::write(const RuleCall& call) {
  message_->Clear();
  message_->set_overall_code(call.allowed() ? RateLimitResponse::OK
                                            : RateLimitResponse::OVER_LIMIT);
  for (const rules::Met& met : call.descriptors())
    write_status(call, met, *message_->add_statuses());
}

void Answer::write(const RuleCall& call, const AnswerOptions& options,
                   const rules::DescriptorRequest& request) {
  write(call);
  const auto add = [this](std::string_view name, std::string_view value) {
    auto& header = *message_->add_response_headers_to_add();
    header.set_key(std::string{name});
    header.set_value(std::string{value});
  };
  if (options.headers != ResponseHeaders::kNone)
    for_each_response_header(options.headers, call, add);
  if (options.dynamic_metadata)
    write_dynamic_metadata(request, call, *message_->mutable_dynamic_metadata());
}

bool Answer::over_limit() const {
  return message_->overall_code() == RateLimitResponse::OVER_LIMIT;
}

void Answer::append_binary(std::string& out) const {
  message_->AppendToString(&out);
}

Expected<std::string> Answer::json() const {
  std::string text;
  const auto status = google::protobuf::util::MessageToJsonString(*message_, &text);
  if (!status.ok()) return error("response", status.ToString());
  return text;
}

}  // namespace tidegate::frontend::rls
