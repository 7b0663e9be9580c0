// Logs of which each line is a JSON object: those of Traefik, Caddy and Envoy, any whose keys are
// called what they usually are, and any at all whose paths are told.
//
// What a container runtime writes before a line (CRI: time, stdout, F) is stepped over. Envoy also
// writes lines of text among the others; they are read too. Strings lose their escapes, null is "",
// of an array the first element is taken. Pure. Cost: a look at each byte, strings by memchr.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tidegate/replay/read/form.h"

namespace tidegate::replay {

Form traefik_form();
Form caddy_form();
Form envoy_form();
Form json_form();

// Fields and their paths: {"client", ".request.ip"}; several with | between them are tried in turn.
using FieldPaths = std::vector<std::pair<std::string, std::string>>;
Expected<Form> json_form_of(const FieldPaths& paths);

}  // namespace tidegate::replay
