// What the HTTP front end shows of the server around it, and what it may ask of it.
//
// Thread safety: members may be called from any event loop.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tidegate/base/expected.h"

namespace tidegate::frontend {

class Pages {
 public:
  virtual ~Pages() = default;

  // Whether requests should come here: rules are loaded, and the end has not begun.
  virtual bool ready() const = 0;

  // In the text format of Prometheus, 0.0.4.
  virtual std::string metrics() const = 0;

  // The keys that were denied most and that took most, so many of each, as JSON.
  virtual std::string top(std::size_t most) const = 0;

  // Loads the rules anew. `done` is called once, on that event loop, with all mistakes; with none
  // when the new rules are in use. Until then, and with a mistake, the old ones are.
  virtual void reload(std::size_t loop, std::function<void(std::vector<Error>)> done) = 0;
};

}  // namespace tidegate::frontend
