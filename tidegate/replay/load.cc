#include "tidegate/replay/load.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace tidegate::replay {
namespace {

constexpr std::uint64_t kProgressLines = 1U << 16;
constexpr std::string_view kStatus = "status";

// Where the plan's fields are in a request, which has each of them once.
class Wanted {
 public:
  std::size_t place(const std::string& field) {
    const auto found = std::find(names_.begin(), names_.end(), field);
    const auto at = static_cast<std::size_t>(found - names_.begin());
    if (found == names_.end()) names_.push_back(field);
    return at;
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

// A cost of a fraction takes a whole token.
std::optional<std::uint32_t> read_cost(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc{} || stop != end || !(number >= 0)) return std::nullopt;
  constexpr double kMost = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::min(std::ceil(number), kMost));
}

class Loader {
 public:
  Loader(const LoadPlan& plan, const OnProgress& on_progress)
      : plan_{plan}, on_progress_{on_progress} {
    for (const std::string& field : plan.by) by_.push_back(wanted_.place(field));
    for (const Condition& condition : plan.where) where_.push_back(wanted_.place(condition.field));
    if (!plan.cost.empty()) cost_ = wanted_.place(plan.cost);
  }

  Expected<Trace> run() {
    Expected<LogReader> reader = open();
    if (!reader) return tl::unexpected{std::move(reader).error()};
    Request request;
    for (std::uint64_t lines = 0; reader->next(request); ++lines) {
      take(request);
      if (lines % kProgressLines == 0) tell(*reader);
    }
    if (reader->failure()) return tl::unexpected{*reader->failure()};
    tell(*reader);
    put_in_order();
    trace_.read = reader->counts();
    trace_.notes = reader->notes();
    return std::move(trace_);
  }

 private:
  // The status is wanted where the logs have one, to know what the server refused itself.
  Expected<LogReader> open() {
    const auto with = [&](const std::vector<std::string>& names) {
      return LogReader::open(plan_.files,
                             {.form = plan_.form, .fields = plan_.fields, .wanted = names});
    };
    Wanted more = wanted_;
    status_ = more.place(std::string{kStatus});
    Expected<LogReader> reader = with(more.names());
    if (reader || plan_.skip_refused) return reader;
    status_.reset();
    Expected<LogReader> without = with(wanted_.names());
    return without ? std::move(without) : std::move(reader);
  }

  void take(const Request& request) {
    if (!wanted(request)) return void(++trace_.left_out);
    if (refused(request)) {
      ++trace_.refused;
      if (plan_.skip_refused) return void(++trace_.refused_left_out);
    }
    std::uint32_t cost = 1;
    if (cost_) {
      const std::optional<std::uint32_t> read = read_cost(request.fields[*cost_]);
      if (!read) return void(++trace_.without_cost);
      cost = *read;
    }
    trace_.hits.push_back({request.at, trace_.keys.id(key_of(request)), cost});
  }

  bool wanted(const Request& request) const {
    for (std::size_t i = 0; i < where_.size(); ++i)
      if (!plan_.where[i].holds(request.fields[where_[i]])) return false;
    return true;
  }

  bool refused(const Request& request) const {
    if (!status_) return false;
    const std::string_view status = request.fields[*status_];
    return status == "429" || status == "503";
  }

  std::string_view key_of(const Request& request) {
    if (by_.size() == 1) return request.fields[by_.front()];
    key_.clear();
    for (std::size_t i = 0; i < by_.size(); ++i) {
      if (i > 0) key_ += '|';
      append_escaped(key_, request.fields[by_[i]]);
    }
    return key_;
  }

  void tell(const LogReader& reader) const {
    if (on_progress_)
      on_progress_(reader.bytes_read(), reader.bytes_total(), reader.counts().lines);
  }

  void put_in_order() {
    const auto earlier = [](const Hit& a, const Hit& b) { return a.at < b.at; };
    std::vector<Hit>& hits = trace_.hits;
    for (std::size_t i = 1; i < hits.size(); ++i)
      trace_.out_of_order += earlier(hits[i], hits[i - 1]);
    if (trace_.out_of_order > 0) std::stable_sort(hits.begin(), hits.end(), earlier);
  }

  const LoadPlan& plan_;
  const OnProgress& on_progress_;
  Wanted wanted_;
  std::vector<std::size_t> by_;
  std::vector<std::size_t> where_;
  std::optional<std::size_t> cost_;
  std::optional<std::size_t> status_;
  std::string key_;
  Trace trace_;
};

}  // namespace

Expected<Trace> load(const LoadPlan& plan, const OnProgress& on_progress) {
  return Loader{plan, on_progress}.run();
}

void append_escaped(std::string& key, std::string_view value) {
  for (const char c : value) {
    if (c == '|' || c == '\\') key += '\\';
    key += c;
  }
}

}  // namespace tidegate::replay
