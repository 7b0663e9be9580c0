// `--store URL` for commands that ask a Redis and are done: a store that is ready, or the reason
// why not.
//
// A person waits longer than a server may: a request has a second unless the URL says otherwise,
// and what Redis does not decide is an error, whatever `on_error` says. Thread safety: a function.
// Cost: blocks until Redis has answered once.
#pragma once

#include <memory>
#include <string>

#include "tidegate/base/clock.h"
#include "tidegate/base/expected.h"
#include "tidegate/store/redis/background_store.h"

namespace tidegate::cli {

// How the option is described wherever it stands.
inline constexpr char kStoreAbout[] =
    "Keep states in a Redis or Valkey: redis://HOST:PORT/DB, rediss://..., unix:///PATH";

Expected<std::unique_ptr<BackgroundRedisStore>> open_store(const std::string& url,
                                                           const Clock& clock);

}  // namespace tidegate::cli
