#include "tidegate/frontend/http/service.h"

#include <utility>

#include "tidegate/frontend/http/conversation.h"

namespace tidegate::frontend {

HttpCounts& HttpCounts::operator+=(const HttpCounts& more) {
  connections += more.connections;
  connected += more.connected;
  for (std::size_t i = 0; i < answers.size(); ++i) answers[i] += more.answers[i];
  return *this;
}

HttpService::HttpService(Pages& pages, HttpOptions options)
    : pages_{pages}, options_{std::move(options)} {}

HttpCounts HttpService::counts() const {
  return loops_.sum();
}

HttpLoop::HttpLoop(HttpService& service, RuleLoop& rules_in_use, std::size_t loop)
    : rules{rules_in_use}, index{loop}, service_{service} {
  service_.loops_.add(*this);
}

HttpLoop::~HttpLoop() {
  service_.loops_.remove(*this);
}

std::unique_ptr<Conversation> HttpLoop::connect(std::string peer) {
  return std::make_unique<http::HttpConversation>(*this, std::move(peer));
}

HttpCounts HttpLoop::counts() const {
  HttpCounts counts{.connections = connected.value() - disconnected.value(),
                    .connected = connected.value()};
  for (std::size_t i = 0; i < answers_.size(); ++i) counts.answers[i] = answers_[i].value();
  return counts;
}

}  // namespace tidegate::frontend
