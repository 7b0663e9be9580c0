#include "tidegate/server/file_watch.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace tidegate::server {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kAnyChange = IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_CREATE |
                                     IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF |
                                     IN_MOVE_SELF;
constexpr int kMostLinks = 16;  // in a row: then they go round in circles

// The folders where a change may lead a path elsewhere: that of each link on the way, and the last
// one.
void add_folders(const fs::path& path, std::set<std::string>& folders, int links = 0) {
  if (links > kMostLinks) return;
  std::error_code problem;
  fs::path at;
  for (const fs::path& part : fs::absolute(path, problem)) {
    const fs::path folder = at;
    at /= part;
    if (!fs::is_symlink(at, problem)) continue;
    folders.insert(folder);
    add_folders(folder / fs::read_symlink(at, problem), folders, links + 1);
  }
  folders.insert(at.parent_path());
  if (fs::is_directory(at, problem)) folders.insert(at);
}

// Links that lie in a folder may lead out of it.
void add_links_within(const fs::path& folder, std::set<std::string>& folders) {
  std::error_code problem;
  for (fs::directory_iterator file{folder, problem}, end; !problem && file != end;
       file.increment(problem))
    if (file->is_symlink(problem)) add_folders(file->path(), folders);
}

}  // namespace

// All anew: what was watched may be another folder of the same name by now.
bool FileWatch::look_at(std::span<const std::string> paths) {
  std::set<std::string> folders;
  for (const std::string& path : paths) {
    add_folders(path, folders);
    add_links_within(path, folders);
  }
  inotify_ = net::Socket{inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
  return std::all_of(folders.begin(), folders.end(), [&](const std::string& folder) {
    return inotify_add_watch(fd(), folder.c_str(), kAnyChange) >= 0;
  });
}

bool FileWatch::changed() {
  alignas(inotify_event) std::array<char, 4096> events;
  bool any = false;
  while (read(fd(), events.data(), events.size()) > 0) any = true;
  return any;
}

}  // namespace tidegate::server
