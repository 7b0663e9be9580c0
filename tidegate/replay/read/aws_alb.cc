#include <algorithm>
#include <array>

#include "tidegate/replay/read/quotes.h"
#include "tidegate/replay/read/words_form.h"

namespace tidegate::replay {
namespace {

// The words of a line in AWS' order, but for the first two: a form has its time first.
constexpr Column kType = 1;
constexpr Column kBalancer = 2;
constexpr Column kClient = 3;
constexpr Column kTarget = 4;
constexpr Column kStatus = 8;
constexpr Column kBytes = 11;
constexpr Column kRequest = 12;
constexpr Column kAgent = 13;
constexpr Column kDomain = 18;
constexpr std::size_t kWords = 19;

bool is_type(std::string_view word) {
  constexpr std::array<std::string_view, 6> kTypes{"http", "https", "h2", "grpcs", "ws", "wss"};
  return std::find(kTypes.begin(), kTypes.end(), word) != kTypes.end();
}

class AlbSplitter : public Splitter {
 public:
  Problem split(std::string_view line, std::span<std::string_view> columns) override {
    QuotedWords words{line};
    columns[kType] = words.next();
    columns[kTimeColumn] = words.next();
    if (!is_type(columns[kType])) return "it does not begin with http, https, h2, grpcs, ws or wss";
    for (Column word = kBalancer; word < kWords; ++word) columns[word] = words.next();
    if (columns[kStatus].empty()) return "it ends before the status";
    return nullptr;
  }
};

}  // namespace

Form aws_alb_form() {
  return {.name = "aws_alb",
          .columns = std::vector<std::string>(kWords),
          .fields = {{"client", kClient, Shape::kAddress},
                     {"type", kType, Shape::kText},
                     {"balancer", kBalancer, Shape::kText},
                     {"target", kTarget, Shape::kText},
                     {"host", kRequest, Shape::kRequestHost},
                     {"domain", kDomain, Shape::kText},
                     {"request", kRequest, Shape::kText},
                     {"method", kRequest, Shape::kRequestMethod},
                     {"path", kRequest, Shape::kRequestPath},
                     {"uri", kRequest, Shape::kRequestUri},
                     {"query", kRequest, Shape::kRequestQuery},
                     {"protocol", kRequest, Shape::kProtocol},
                     {"status", kStatus, Shape::kText},
                     {"bytes", kBytes, Shape::kText},
                     {"agent", kAgent, Shape::kText}},
          .required = kClient,
          .make_splitter = [](const Form&, std::span<const Column>) -> std::unique_ptr<Splitter> {
            return std::make_unique<AlbSplitter>();
          }};
}

}  // namespace tidegate::replay
