// The forms, each made in a file of its own; form.h chooses among them.
#pragma once

#include "tidegate/replay/logs/form.h"

namespace tidegate::replay {

Expected<std::unique_ptr<Form>> make_combined(const FormOptions& options);
Expected<std::unique_ptr<Form>> make_json(const FormOptions& options);
Expected<std::unique_ptr<Form>> make_alb(const FormOptions& options);
Expected<std::unique_ptr<Form>> make_haproxy(const FormOptions& options);
Expected<std::unique_ptr<Form>> make_csv(const FormOptions& options, std::string_view header);
Expected<std::unique_ptr<Form>> make_log_format(const FormOptions& options);

}  // namespace tidegate::replay
