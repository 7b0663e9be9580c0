// Envoy's lines: JSON, and the text that it writes where no format was given.
//
//   [2016-04-15T20:17:00.310Z] "POST /api/v1/locations HTTP/2" 204 - 154 0 226 100 "10.0.35.28"
//   "nsq2http" "cc21d9b0-cf5c-432b-8c7e-98aeb7988cd2" "locations" "tcp://10.0.2.1:80"
//
// Thread safety: none. Cost: a look at each byte.
#pragma once

#include "tidegate/replay/read/json_splitter.h"

namespace tidegate::replay {

// For forms of the standard columns.
class EnvoySplitter : public JsonSplitter {
 public:
  using JsonSplitter::JsonSplitter;

  Problem split(std::string_view line, std::span<std::string_view> columns) override;
};

}  // namespace tidegate::replay
