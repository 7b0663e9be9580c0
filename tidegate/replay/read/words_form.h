// Forms of which a line is words after another, with quotes around some: AWS load balancers,
// HAProxy after its syslog prefix, Envoy's own text.
//
// Pure. Cost: a look at each byte.
#pragma once

#include <string_view>

#include "tidegate/replay/read/form.h"

namespace tidegate::replay {

// http 2023-04-26T12:22:55.463821Z app/name/id client:port target:port ... "request" "agent" ...
Form aws_alb_form();

// ... haproxy[7]: client:port [25/Feb/2019:16:19:48.143] frontend backend/server 0/0/7/1457/1487
// 200 11394 - - ---- 2/1/0/0/0 0/0 "request"; what stands before the client does not matter.
Form haproxy_form();

}  // namespace tidegate::replay
