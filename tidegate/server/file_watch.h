// Tells when something may have changed about files and folders: written in place, replaced by
// another, reached through a link that now leads elsewhere, gone, or there again.
//
//   FileWatch watch;
//   watch.look_at(paths);                 // and again after each change: links may lead elsewhere
//   poll(watch.fd(), ...); watch.changed();
//
// Looks at the folders that the paths and their links lie in, so it tells of their other files too:
// whoever is told looks whether it matters. Thread safety: none. Cost: a watch a folder.
#pragma once

#include <set>
#include <span>
#include <string>

#include "tidegate/net/socket.h"

namespace tidegate::server {

class FileWatch {
 public:
  // False when a folder is not there to be looked at: try again.
  bool look_at(std::span<const std::string> paths);

  int fd() const { return inotify_.fd(); }

  // Whether anything was told since the last call.
  bool changed();

 private:
  net::Socket inotify_;
};

}  // namespace tidegate::server
