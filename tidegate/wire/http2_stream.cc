#include "tidegate/wire/http2_stream.h"

namespace tidegate::http2 {

void FieldList::append(std::string_view name, std::string_view value) {
  const std::size_t begin = text_.size();
  text_.append(name).append(value);
  places_.push_back({begin, begin + name.size(), text_.size()});
}

void FieldList::clear() {
  text_.clear();
  places_.clear();
}

Headers FieldList::fields() {
  const std::string_view text = text_;
  fields_.clear();
  for (const Place& p : places_)
    fields_.push_back(
        {text.substr(p.name, p.value - p.name), text.substr(p.value, p.end - p.value)});
  return fields_;
}

void Stream::clear() {
  headers.clear();
  body.clear();
  trailers.clear();
  taken = 0;
  told = started = finishing = sated = false;
}

}  // namespace tidegate::http2
