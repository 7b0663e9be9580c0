# What every target is compiled and linked with.
add_compile_options(-Wall -Wextra -Wconversion)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_compile_options(-Wthread-safety)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees overlaps and overruns in "text" + std::string{}
  add_compile_options(-Wno-restrict -Wno-array-bounds)
endif()
if(TIDEGATE_WERROR)
  add_compile_options(-Werror)
endif()
if(TIDEGATE_SANITIZE)
  add_compile_options(-fsanitize=${TIDEGATE_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TIDEGATE_SANITIZE})
endif()

# A faster linker, where there is one.
include(CheckLinkerFlag)
foreach(linker IN ITEMS mold lld)
  check_linker_flag(CXX -fuse-ld=${linker} TIDEGATE_LINKS_WITH_${linker})
  if(TIDEGATE_LINKS_WITH_${linker})
    add_link_options(-fuse-ld=${linker})
    break()
  endif()
endforeach()
