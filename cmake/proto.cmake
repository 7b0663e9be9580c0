# tidegate_proto: the messages of proto/, as protoc writes them.
find_package(Protobuf REQUIRED)

set(proto_dir ${PROJECT_SOURCE_DIR}/proto)
set(proto_out ${CMAKE_CURRENT_BINARY_DIR}/proto)
file(MAKE_DIRECTORY ${proto_out})
file(GLOB_RECURSE protos CONFIGURE_DEPENDS RELATIVE ${proto_dir} ${proto_dir}/*.proto)
foreach(proto IN LISTS protos)
  string(REGEX REPLACE "\\.proto$" "" stem ${proto})
  add_custom_command(OUTPUT ${proto_out}/${stem}.pb.cc ${proto_out}/${stem}.pb.h
                     DEPENDS ${proto_dir}/${proto}
                     COMMAND protobuf::protoc -I ${proto_dir} --cpp_out=${proto_out} ${proto})
  list(APPEND proto_sources ${proto_out}/${stem}.pb.cc)
  list(APPEND proto_headers ${proto_out}/${stem}.pb.h)
endforeach()

add_library(tidegate_proto STATIC ${proto_sources} ${proto_headers})
target_link_libraries(tidegate_proto PUBLIC protobuf::libprotobuf)
target_include_directories(tidegate_proto SYSTEM PUBLIC ${proto_out})
target_compile_options(tidegate_proto PRIVATE -w)
