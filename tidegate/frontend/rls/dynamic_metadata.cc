#include "tidegate/frontend/rls/dynamic_metadata.h"

#include <google/protobuf/struct.pb.h>

#include <charconv>
#include <string>

namespace tidegate::frontend::rls {
namespace {

using google::protobuf::ListValue;
using google::protobuf::Struct;
using google::protobuf::Value;

void write_scalar(const yaml::Node& node, Value& into) {
  double number = 0;
  const char* const end = node.text.data() + node.text.size();
  const auto [stop, problem] = std::from_chars(node.text.data(), end, number);
  if (node.plain && (node.text == "true" || node.text == "false"))
    return into.set_bool_value(node.text == "true");
  if (node.plain && problem == std::errc{} && stop == end) return into.set_number_value(number);
  into.set_string_value(node.text);
}

void write(const yaml::Node& node, Value& into) {
  switch (node.kind) {
    case yaml::Kind::kNull:
      return into.set_null_value(google::protobuf::NULL_VALUE);
    case yaml::Kind::kScalar:
      return write_scalar(node, into);
    case yaml::Kind::kList:
      into.mutable_list_value();
      for (const yaml::Node& item : node.items)
        write(item, *into.mutable_list_value()->add_values());
      return;
    case yaml::Kind::kMap:
      into.mutable_struct_value();
      for (const yaml::Entry& entry : node.entries)
        write(entry.value, (*into.mutable_struct_value()->mutable_fields())[entry.key.text]);
  }
}

void merge(const yaml::Node& map, Struct& into) {
  for (const yaml::Entry& entry : map.entries) {
    const auto [old, is_new] = into.mutable_fields()->insert({entry.key.text, Value{}});
    if (is_new) {
      write(entry.value, old->second);
    } else if (old->second.has_struct_value() && entry.value.is_map()) {
      merge(entry.value, *old->second.mutable_struct_value());
    }
  }
}

void write_descriptor(const rules::Descriptor& descriptor, Struct& into) {
  auto& fields = *into.mutable_fields();
  ListValue& entries = *fields["entries"].mutable_list_value();
  for (const auto& [key, value] : descriptor.entries)
    entries.add_values()->set_string_value(std::string{key} + "=" + std::string{value});
  if (descriptor.limit) fields["limit"].set_string_value(descriptor.limit->to_string());
  if (descriptor.cost) fields["hitsAddend"].set_number_value(static_cast<double>(*descriptor.cost));
}

}  // namespace

void write_dynamic_metadata(const rules::DescriptorRequest& request, const RuleCall& call,
                            Struct& into) {
  auto& fields = *into.mutable_fields();
  fields["domain"].set_string_value(std::string{request.domain});
  fields["hitsAddend"].set_number_value(static_cast<double>(request.cost));
  ListValue& descriptors = *fields["descriptors"].mutable_list_value();
  for (const rules::Descriptor& descriptor : request.descriptors)
    write_descriptor(descriptor, *descriptors.add_values()->mutable_struct_value());
  Struct passed;
  for (const rules::Met& met : call.descriptors())
    if (met.rule != nullptr && !call.over(met)) merge(met.rule->metadata, passed);
  if (!passed.fields().empty()) *fields["metadata"].mutable_struct_value() = std::move(passed);
}

}  // namespace tidegate::frontend::rls
