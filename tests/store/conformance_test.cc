#include "tests/support/conformance.h"

#include <memory>
#include <random>

#include "tests/support/delayed_store.h"
#include "tests/support/store_reference.h"
#include "tidegate/store/memory/memory_store.h"

namespace tidegate::test {
namespace {

class ReferenceHarness final : public StoreHarness {
 public:
  explicit ReferenceHarness(Forgetting forgetting) : store_{clock_, forgetting} {}
  Store& store() override { return store_; }
  void set_now(Time now) override { clock_.set(now); }

 private:
  ManualClock clock_;
  ReferenceStore store_;
};

class MemoryHarness final : public StoreHarness {
 public:
  explicit MemoryHarness(const MemoryStoreOptions& options = {}) : store_{options, clock_} {}
  Store& store() override { return store_; }
  void set_now(Time now) override { clock_.set(now); }

 private:
  ManualClock clock_;
  MemoryStore store_;
};

class DelayedHarness final : public StoreHarness {
 public:
  Store& store() override { return delayed_; }
  void set_now(Time now) override { clock_.set(now); }
  void run() override { delayed_.run_all(); }

 private:
  ManualClock clock_;
  MemoryStore memory_{{}, clock_};
  DelayedStore delayed_{memory_, 5};
};

TIDEGATE_STORE_CONFORMS(LazyReference,
                        [] { return std::make_unique<ReferenceHarness>(Forgetting::kLazy); });
TIDEGATE_STORE_CONFORMS(EagerReference,
                        [] { return std::make_unique<ReferenceHarness>(Forgetting::kEager); });
TIDEGATE_STORE_CONFORMS(Memory, [] { return std::make_unique<MemoryHarness>(); });
// Sweeps with every take; a cap that the suite never reaches.
TIDEGATE_STORE_CONFORMS(SweptMemory, [] {
  return std::make_unique<MemoryHarness>(
      MemoryStoreOptions{.max_keys = 1'000, .sweep_interval = Duration{1}});
});
TIDEGATE_STORE_CONFORMS(DelayedMemory, [] { return std::make_unique<DelayedHarness>(); });

}  // namespace
}  // namespace tidegate::test
