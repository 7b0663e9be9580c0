#include "tidegate/replay/read/forms.h"

#include <algorithm>

#include "tidegate/base/quote.h"
#include "tidegate/replay/read/combined.h"

namespace tidegate::replay {

const std::vector<std::string>& form_names() {
  static const std::vector<std::string> names{"combined"};
  return names;
}

Expected<Form> choose_form(const FormChoice&) {
  return combined_form();
}

}  // namespace tidegate::replay
