// Any log that nginx can be told to write: the log_format, as it stands in nginx.conf, is the form.
//
//   $remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent
//
// A variable reaches up to the text that follows it in the format. Pure. Cost: a search for each
// piece of text.
#pragma once

#include <string_view>

#include "tidegate/replay/read/form.h"

namespace tidegate::replay {

// Also as `log_format main '...' '...';`. Without a variable of the time it is an error.
Expected<Form> log_format_form(std::string_view format);

}  // namespace tidegate::replay
