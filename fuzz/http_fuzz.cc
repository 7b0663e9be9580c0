// The HTTP front end: any bytes, whole and in two pieces, are answered alike and within bounds,
// also by a store that rules ask. The first byte says where the pieces are cut; when it is odd, the
// rest is the body of a /json request.
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/base/clock.h"
#include "tidegate/frontend/http/pages.h"
#include "tidegate/frontend/http/service.h"
#include "tidegate/frontend/rule_service.h"
#include "tidegate/rules/load.h"
#include "tidegate/store/memory/memory_store.h"

namespace {

using namespace tidegate;  // NOLINT(google-build-using-namespace)

class NoPages final : public frontend::Pages {
 public:
  bool ready() const override { return true; }
  std::string metrics() const override { return "up 1\n"; }
  std::string top(std::size_t most) const override { return std::to_string(most); }
  void reload(std::size_t, std::function<void(std::vector<Error>)> done) override { done({}); }
};

std::shared_ptr<const rules::RuleSet> some_rules() {
  static const rules::Source kSource{"rules.yaml", R"(
domain: api
descriptors:
  - key: user
    rate_limit: {limit: 5/60s}
    descriptors: [{key: path, value: "/a*", rate_limit: {limit: 1/s burst 3}}]
  - {key: free, rate_limit: {unlimited: true}}
  - {key: trial, shadow_mode: true, rate_limit: {limit: 1/h}}
)"};
  static const rules::Loaded kLoaded = rules::load({&kSource, 1}, {});
  return kLoaded.rules;
}

std::string answers(std::string_view first, std::string_view rest) {
  const ManualClock clock;
  MemoryStore store{{.max_keys = 1'000}, clock};
  NoPages pages;
  frontend::RuleService rules{store, clock, {}};
  rules.use(some_rules());
  frontend::HttpService service{pages, {.max_output = 1'000}};
  frontend::RuleLoop rule_loop{rules};
  frontend::HttpLoop loop{service, rule_loop, 0};
  const auto conversation = loop.connect("127.0.0.1:1");
  std::string all;
  for (const std::string_view piece : {first, rest}) {
    conversation->feed(std::string{piece});
    while (!conversation->output().empty()) {
      const std::string output{conversation->output()};
      conversation->sent(output.size());
      all += output;
    }
  }
  return all;
}

void require(bool fact) {
  if (!fact) std::abort();
}

// The word that only a body is given that has not come yet.
std::string without_welcome(std::string text) {
  constexpr std::string_view kWelcome = "HTTP/1.1 100 Continue\r\n\r\n";
  for (std::size_t at = 0; (at = text.find(kWelcome)) != std::string::npos;)
    text.erase(at, kWelcome.size());
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string bytes{reinterpret_cast<const char*>(data + 1), size - 1};
  if (data[0] % 2 == 1)
    bytes = "POST /json HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(bytes.size()) +
            "\r\n\r\n" + bytes;
  const std::string whole = answers(bytes, "");
  require(whole.empty() || whole.starts_with("HTTP/1.1 "));
  if (data[0] % 2 == 1) require(!whole.empty());
  const std::string_view all = bytes;
  const std::size_t cut = data[0] % (all.size() + 1);
  require(without_welcome(answers(all.substr(0, cut), all.substr(cut))) == without_welcome(whole));
  return 0;
}
