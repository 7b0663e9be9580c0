#include "tidegate/server/settings_file.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>

#include "tidegate/base/quote.h"
#include "tidegate/rules/yaml.h"
#include "tidegate/server/settings_table.h"
#include "tidegate/server/whole_file.h"

namespace tidegate::server {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{64} * 1024;

// How many letters must be put in, taken out or replaced to make one word of the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

const Setting* find_setting(std::string_view key) {
  for (const Setting& setting : settings_table())
    if (setting.key() == key) return &setting;
  return nullptr;
}

std::string nearest_key(std::string_view key) {
  const auto table = settings_table();
  const auto nearer = [&](const Setting& a, const Setting& b) {
    return distance(a.key(), key) < distance(b.key(), key);
  };
  return std::min_element(table.begin(), table.end(), nearer)->key();
}

// The text of a value: a scalar's, or those of a list of scalars.
std::optional<std::string> text_of(const yaml::Node& value) {
  if (value.is_scalar()) return value.text;
  if (!value.is_list()) return std::nullopt;
  std::string text;
  for (const yaml::Node& item : value.items) {
    if (!item.is_scalar()) return std::nullopt;
    (text += text.empty() ? "" : ",") += item.text;
  }
  return text;
}

Expected<FileSetting> read_entry(const std::string& path, const yaml::Entry& entry) {
  const std::string place = yaml::place(path, entry.value.mark);
  const Setting* const setting = find_setting(entry.key.text);
  if (setting == nullptr)
    return error(
        yaml::place(path, entry.key.mark),
        "no setting " + quoted(entry.key.text) + "; the nearest is " + nearest_key(entry.key.text));
  const auto text = text_of(entry.value);
  if (!text)
    return error(place, setting->key() + ": expected a value, found " + describe(entry.value));
  return FileSetting{.name = std::string{setting->name}, .text = *text, .place = place};
}

Expected<std::vector<FileSetting>> read_document(const std::string& path,
                                                 const std::vector<yaml::Node>& documents) {
  std::vector<FileSetting> settings;
  if (documents.empty()) return settings;
  const yaml::Node& root = documents.front();
  if (documents.size() > 1)
    return error(yaml::place(path, documents[1].mark), "expected one document");
  if (!root.is_map())
    return error(yaml::place(path, root.mark),
                 "expected settings, as in `threads: 2`, found " + describe(root));
  for (const yaml::Entry& entry : root.entries) {
    auto setting = read_entry(path, entry);
    if (!setting) return tl::unexpected{std::move(setting).error()};
    settings.push_back(*std::move(setting));
  }
  return settings;
}

}  // namespace

Expected<std::vector<FileSetting>> read_settings_file(const std::string& path) {
  return read_whole_file(path, kMaxBytes)
      .and_then([&](const std::string& text) { return yaml::read(path, text); })
      .and_then(
          [&](const std::vector<yaml::Node>& documents) { return read_document(path, documents); });
}

}  // namespace tidegate::server
