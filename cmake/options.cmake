# What every target is compiled with.
add_compile_options(-Wall -Wextra -Wconversion)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_compile_options(-Wthread-safety)
endif()
if(TIDEGATE_SANITIZE)
  add_compile_options(-fsanitize=${TIDEGATE_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TIDEGATE_SANITIZE})
endif()
