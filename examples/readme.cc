// The program and the fragments that README.md shows.
#include <cstdio>

#include "tidegate/limiter.h"
#include "tidegate/store/memory/memory_store.h"

using namespace tidegate;

int main() {
  MemoryStore store;
  Limiter limiter{store};
  constexpr Limit five_a_minute = "5/min"_limit;  // checked by the compiler

  for (int i = 0; i < 6; ++i) {
    const Decision decision = limiter.take("user:42", five_a_minute).value();
    if (decision.allowed)
      std::printf("served, %u left\n", decision.remaining);
    else
      std::printf("try again in %.1f s\n", static_cast<double>(decision.retry_after.count()) / 1e6);
  }
}
