// A small service that uses the installed library: logins guarded per user, a page limit per reader
// and per site together, and one bucket for everything that is sent out.
#include <cstdio>
#include <string>

#include "tidegate/bucket.h"
#include "tidegate/limiter.h"
#include "tidegate/middleware/guard.h"
#include "tidegate/store/memory/memory_store.h"

namespace {

using namespace tidegate;

struct Request {
  std::string user;
};

// Three logins a minute for each user; the handler is called when the limiter lets it.
void try_logins(Limiter& limiter) {
  const auto login = guard(
      limiter, "3/min"_limit, [](const Request& request) { return "login:" + request.user; },
      [](const Request& request) { return request.user + " is in"; },
      [](const Decision&, const Request& request) { return request.user + " must wait"; });
  for (const char* user : {"ann", "ann", "ann", "ann", "bob"})
    std::printf("%s\n", login(Request{user}).c_str());
}

// Two limits, one answer: nothing is charged to the site when the reader is denied.
void read_pages(Limiter& limiter) {
  const Limit per_reader = "2/min"_limit;
  const Limit per_site = "100/min"_limit;
  int pages = 0;
  for (int i = 0; i < 5; ++i) {
    const auto verdict = limiter.take(
        {{.key = "reader:ann", .limit = per_reader}, {.key = "site", .limit = per_site}});
    if (verdict && verdict->allowed) ++pages;
  }
  const auto site = limiter.check("site", per_site, 0);
  std::printf("%d pages read, %u left for the site\n", pages, site ? site->remaining : 0);
}

void send_mails() {
  Bucket outgoing{"4/h burst 4"_limit};
  int sent = 0;
  while (outgoing.take().allowed) ++sent;
  std::printf("%d mails sent\n", sent);
}

// A limit from a configuration file is checked when it is read.
void read_configuration() {
  const Expected<Limit> limit = Limit::parse("5/6x");
  std::printf("%s\n", limit ? limit->to_string().c_str() : "5/6x is refused");
}

}  // namespace

int main() {
  MemoryStore store;
  Limiter limiter{store};
  try_logins(limiter);
  read_pages(limiter);
  send_mails();
  read_configuration();
}
