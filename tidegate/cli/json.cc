#include "tidegate/cli/json.h"

#include "tidegate/base/json_string.h"
#include "tidegate/cli/text.h"

namespace tidegate::cli {
namespace {

void append_members(std::string& text, const Take& take, const Decision& decision) {
  text += decision.allowed ? R"("allowed":true,"limit":)" : R"("allowed":false,"limit":)";
  append_json_string(text, take.limit.to_string());
  text += R"(,"key":)";
  append_json_string(text, take.key);
  text += R"(,"remaining":)";
  append_number(text, decision.remaining);
  text += R"(,"retry_after_us":)";
  if (decision.retry_after == kNever) {
    text += "null";
  } else {
    append_number(text, decision.retry_after.count());
  }
  text += R"(,"reset_after_us":)";
  append_number(text, decision.reset_after.count());
  text += R"(,"at_us":)";
  append_number(text, decision.at.time_since_epoch().count());
}

}  // namespace

void append_json(std::string& text, const Take& take, const Decision& decision) {
  text += '{';
  append_members(text, take, decision);
  text += '}';
}

void append_json(std::string& text, std::span<const Take> takes, const Verdict& verdict) {
  text += '{';
  append_members(text, takes[verdict.binding], verdict.bound());
  text += R"(,"binding":)";
  append_number(text, verdict.binding);
  text += R"(,"takes":)";
  for (std::size_t i = 0; i < takes.size(); ++i) {
    text += i == 0 ? '[' : ',';
    append_json(text, takes[i], verdict.decisions[i]);
  }
  text += "]}";
}

}  // namespace tidegate::cli
