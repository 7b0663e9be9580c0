// What goes back to a proxy for its own use beside the decision: the request, and the metadata of
// the rules that let it pass.
//
// Thread safety: none. Cost: dear, a small tree of messages; only by option.
#pragma once

#include "tidegate/frontend/rule_call.h"
#include "tidegate/rules/descriptor.h"

namespace google::protobuf {
class Struct;
}

namespace tidegate::frontend::rls {

// `domain`, `descriptors`, `hitsAddend`, and `metadata`: that of all rules whose limits were not
// exceeded, merged; what an earlier one says stays.
void write_dynamic_metadata(const rules::DescriptorRequest& request, const RuleCall& call,
                            google::protobuf::Struct& into);

}  // namespace tidegate::frontend::rls
