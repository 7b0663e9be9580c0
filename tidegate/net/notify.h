// Tells systemd how a service is doing, when it is run by one of Type=notify.
//
//   notify("READY=1");
//
// Thread safety: may be called from any thread. Cost: a system call or three; nothing without
// systemd.
#pragma once

#include <string_view>

namespace tidegate::net {

// To the socket that NOTIFY_SOCKET names; false when there is none, or it is not reached.
bool notify(std::string_view state);

}  // namespace tidegate::net
