// The RESP front end: any bytes, whole and in two pieces, are answered alike, in replies that can
// be read. The client takes its answers, so that a conversation that has paused goes on.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tidegate/frontend/resp/service.h"
#include "tidegate/frontend/rule_service.h"
#include "tidegate/wire/resp_reply.h"

namespace {

using namespace tidegate;  // NOLINT(google-build-using-namespace)

std::string answers(std::string_view first, std::string_view rest) {
  const ManualClock clock;
  MemoryStore store{{.max_keys = 1'000}, clock};
  frontend::RespService service{store, clock, {.version = "0", .max_output = 1'000}};
  frontend::RuleService rules{store, clock, {}};
  frontend::RuleLoop rule_loop{rules};
  frontend::RespLoop loop{service, rule_loop};
  const auto conversation = loop.connect("peer");
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes{reinterpret_cast<const char*>(data + 1), size - 1};
  const std::string whole = answers(bytes, "");
  const std::size_t cut = data[0] % size;
  require(answers(bytes.substr(0, cut), bytes.substr(cut)) == whole);
  resp::ReplyReader reader;
  reader.feed(whole);
  auto next = reader.next();
  while (next == resp::ReplyReader::Next::kReply) next = reader.next();
  require(next == resp::ReplyReader::Next::kMore);
  return 0;
}
