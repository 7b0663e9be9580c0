#include "tidegate/frontend/rls/request.h"

#include <envoy/service/ratelimit/v3/rls.pb.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <string>

#include "tidegate/store/store.h"

namespace tidegate::frontend::rls {
namespace {

using envoy::extensions::common::ratelimit::v3::RateLimitDescriptor;
using envoy::service::ratelimit::v3::RateLimitRequest;

// No limit has so many tokens, so that a cost of more is denied as this one is.
constexpr std::uint64_t kHighestCost = kMaxTokens + 1;

Cost cost_of(std::uint64_t hits) {
  return static_cast<Cost>(std::min(hits, kHighestCost));
}

std::string name_of(int descriptor) {
  return "descriptors[" + std::to_string(descriptor) + "]";
}

// The period of a unit as the protocol numbers them; zero for numbers that are none.
Duration period_of(int unit) {
  using std::chrono::hours;
  constexpr Duration kPeriods[] = {
      Duration{0}, std::chrono::seconds{1},      std::chrono::minutes{1},      hours{1},
      hours{24},   hours{std::int64_t{24} * 30}, hours{std::int64_t{24} * 365}};
  return unit >= 0 && unit < static_cast<int>(std::size(kPeriods)) ? kPeriods[unit] : Duration{0};
}

Expected<Limit> brought_limit(const RateLimitDescriptor::RateLimitOverride& limit, int descriptor,
                              Algorithm algorithm) {
  const Duration period = period_of(limit.unit());
  if (period == Duration{0})
    return error(name_of(descriptor) + ".limit.unit",
                 "expected SECOND, MINUTE, HOUR, DAY, MONTH or YEAR");
  return Limit::make(
      {.tokens = limit.requests_per_unit(), .period = period, .algorithm = algorithm});
}

}  // namespace

void silence_protobuf() {
  static const bool silent = google::protobuf::SetLogHandler(nullptr) != nullptr;
  static_cast<void>(silent);
}

Request::Request() : message_{std::make_unique<RateLimitRequest>()} {
  silence_protobuf();
}

Request::~Request() = default;

Expected<void> Request::read_binary(std::string_view bytes, Algorithm algorithm) {
  if (!message_->ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return error("request", "expected a RateLimitRequest, found other bytes");
  return understand(algorithm);
}

Expected<void> Request::read_json(std::string_view text, Algorithm algorithm) {
  namespace util = google::protobuf::util;
  message_->Clear();
  const auto status = util::JsonStringToMessage({text.data(), text.size()}, message_.get());
  if (!status.ok())
    return error("request", "expected the JSON of a RateLimitRequest: " + status.ToString());
  return understand(algorithm);
}

Expected<void> Request::understand(Algorithm algorithm) {
  if (message_->domain().empty()) return error("rate limit domain", "must not be empty");
  if (message_->descriptors().empty())
    return error("rate limit descriptor list", "must not be empty");
  if (message_->descriptors_size() > static_cast<int>(kMaxTakes))
    return error("rate limit descriptor list", "at most " + std::to_string(kMaxTakes) +
                                                   " descriptors, found " +
                                                   std::to_string(message_->descriptors_size()));
  understand_entries();
  if (auto understood = understand_descriptors(algorithm); !understood) return understood;
  request_ = {.domain = message_->domain(), .descriptors = descriptors_};
  if (message_->hits_addend() > 0) request_.cost = cost_of(message_->hits_addend());
  return {};
}

void Request::understand_entries() {
  entries_.clear();
  for (const RateLimitDescriptor& descriptor : message_->descriptors())
    for (const auto& entry : descriptor.entries()) entries_.push_back({entry.key(), entry.value()});
}

Expected<void> Request::understand_descriptors(Algorithm algorithm) {
  descriptors_.clear();
  std::span<const rules::DescriptorEntry> rest = entries_;
  for (const RateLimitDescriptor& from : message_->descriptors()) {
    const auto entries = static_cast<std::size_t>(from.entries_size());
    rules::Descriptor descriptor{.entries = rest.first(entries)};
    rest = rest.subspan(entries);
    if (from.has_limit()) {
      auto limit = brought_limit(from.limit(), static_cast<int>(descriptors_.size()), algorithm);
      if (!limit) return tl::unexpected{std::move(limit).error()};
      descriptor.limit = *limit;
    }
    if (from.has_hits_addend()) descriptor.cost = cost_of(from.hits_addend().value());
    descriptors_.push_back(descriptor);
  }
  return {};
}

}  // namespace tidegate::frontend::rls
