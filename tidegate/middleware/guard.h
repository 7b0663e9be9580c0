// One line around any callable: the handler runs when the limiter lets it, and something else when
// not.
//
//   auto guarded = guard(limiter, "5/min"_limit,
//                        [](const Request& r) { return r.user; },
//                        [](const Request& r) { return serve(r); },
//                        [](const Decision& d, const Request&) { return too_many(d.retry_after);
//                        });
//   Response response = guarded(request);
//
// Thread safety: that of the callables; the limiter may be shared. Cost: one take a call.
// The limiter must outlive the guard.
#pragma once

#include <functional>
#include <utility>

#include "tidegate/limiter.h"

namespace tidegate {

// Calls handler(args...) when a take of key_of(args...) is allowed, otherwise
// on_denied(decision, args...). What cannot be decided (a key above 64 KiB, a store's error) is
// denied, with retry_after kNever.
template <class KeyOf, class Handler, class OnDenied>
auto guard(Limiter& limiter, const Limit& limit, KeyOf key_of, Handler handler,
           OnDenied on_denied) {
  return [&limiter, limit, key_of = std::move(key_of), handler = std::move(handler),
          on_denied = std::move(on_denied)](auto&&... args) -> decltype(auto) {
    const auto& key = std::invoke(key_of, std::as_const(args)...);
    const Decision decision = limiter.take(key, limit).value_or(Decision{.retry_after = kNever});
    if (decision.allowed) return std::invoke(handler, std::forward<decltype(args)>(args)...);
    return std::invoke(on_denied, decision, std::forward<decltype(args)>(args)...);
  };
}

}  // namespace tidegate
