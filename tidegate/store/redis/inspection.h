// What keys a Redis holds and what is left of each, page by page.
//
//   Inspection inspection{store, "user:*", clock};
//   do page = inspection.next(); while (page && !page->last);
//
// By SCAN, which never holds the server up; a key that moves while it goes on may be seen twice.
// Keys of layouts are not told apart from strangers and are not seen. Thread safety: none; `next`
// blocks, so it is not for the thread of the store's loop. Cost: two requests a page.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tidegate/algorithm/limit.h"
#include "tidegate/base/clock.h"
#include "tidegate/base/expected.h"
#include "tidegate/store/redis/names.h"
#include "tidegate/store/redis/redis_store.h"

namespace tidegate {

struct KeyState {
  std::string key;
  Limit limit;  // that it was last used with
  std::uint32_t remaining = 0;
  Duration reset_after{0};
};

struct InspectionPage {
  std::vector<KeyState> states;
  std::vector<Error> strangers;  // keys with a name of ours that hold something else
  bool last = false;
};

class Inspection {
 public:
  // The keys that match a glob, as in Redis' MATCH: `*`, `user:*`, `user:[0-9]?`.
  Inspection(RedisStore& store, std::string_view glob, const Clock& clock);

  Expected<InspectionPage> next();

 private:
  Expected<std::vector<std::string>> scan();
  Expected<InspectionPage> inspect(const std::vector<std::string>& names);
  template <class T, class Read>
  Expected<T> ask(const std::vector<std::string>& words, Read read);

  RedisStore& store_;
  const redis::Names names_;
  const std::string pattern_;
  const Clock& clock_;
  std::string cursor_ = "0";
};

}  // namespace tidegate
