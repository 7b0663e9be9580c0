#include "tidegate/server/top_keys.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "tidegate/base/json_string.h"

namespace tidegate::server {

SpaceSaving::SpaceSaving(std::size_t kept) : kept_{kept} {
  keys_.reserve(kept);
}

void SpaceSaving::add(std::string_view key) {
  if (const auto found = indices_.find(key); found != indices_.end()) return count(found->second);
  if (keys_.size() < kept_) {
    const auto index = static_cast<Index>(keys_.size());
    keys_.push_back({.key = std::string{key}});
    indices_.emplace(keys_.back().key, index);
    heap_.push_back(index);
    places_.push_back(index);
    // As nothing has come less often, it goes on top, and all above it one down.
    std::size_t place = places_[index];
    for (; place > 0; place = (place - 1) / 2) set(place, heap_[(place - 1) / 2]);
    set(0, index);
    return count(index);
  }
  const Index least = heap_.front();
  TopKey& taken = keys_[least];
  indices_.erase(taken.key);
  taken.key = key;
  taken.error = taken.count;
  indices_.emplace(taken.key, least);
  count(least);
}

void SpaceSaving::set(std::size_t place, Index index) {
  heap_[place] = index;
  places_[index] = place;
}

// One more, and down to where it belongs.
void SpaceSaving::count(Index index) {
  const std::uint64_t count = ++keys_[index].count;
  std::size_t place = places_[index];
  for (std::size_t child = 0; (child = 2 * place + 1) < heap_.size(); place = child) {
    if (child + 1 < heap_.size() && keys_[heap_[child + 1]].count < keys_[heap_[child]].count)
      ++child;
    if (count <= keys_[heap_[child]].count) break;
    set(place, heap_[child]);
  }
  set(place, index);
}

void TopKeys::add(std::string_view key) {
  key = key.substr(0, kMostBytes);
  Part& part = parts_[std::hash<std::string_view>{}(key) % kParts];
  const SpinGuard guard{part.lock};
  part.keys.add(key);
}

std::vector<TopKey> TopKeys::most(std::size_t count) const {
  std::vector<TopKey> all;
  for (const Part& part : parts_) {
    const SpinGuard guard{part.lock};
    all.insert(all.end(), part.keys.keys().begin(), part.keys.keys().end());
  }
  std::sort(all.begin(), all.end(), [](const TopKey& a, const TopKey& b) {
    return a.count != b.count ? a.count > b.count : a.key < b.key;
  });
  all.resize(std::min(all.size(), count));
  return all;
}

namespace {

void append(std::string& json, std::string_view name, const std::vector<TopKey>& keys) {
  append_json_string(json, name);
  json += ":[";
  for (const TopKey& key : keys) {
    json += &key == keys.data() ? "{\"key\":" : ",{\"key\":";
    append_json_string(json, key.key);
    json += ",\"count\":" + std::to_string(key.count);
    json += ",\"error\":" + std::to_string(key.error) + "}";
  }
  json += "]";
}

}  // namespace

std::string top_json(const TopKeys& denied, const TopKeys& taken, std::size_t most) {
  std::string json = "{";
  append(json, "denied", denied.most(most));
  json += ",";
  append(json, "taken", taken.most(most));
  return json + "}\n";
}

}  // namespace tidegate::server
