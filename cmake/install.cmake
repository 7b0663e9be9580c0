# The library for other projects: headers, static libraries, a CMake package and a pkg-config file.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(libraries base algorithm store memory limiter)
set(cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tidegate)

# The headers a service may include; what they include in turn is among them.
file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
     ${PROJECT_SOURCE_DIR}/tidegate/base/*.h
     ${PROJECT_SOURCE_DIR}/tidegate/algorithm/*.h)
list(APPEND headers
     tidegate/bucket.h tidegate/limiter.h tidegate/middleware/guard.h
     tidegate/store/settle.h tidegate/store/store.h
     tidegate/store/memory/memory_store.h tidegate/store/memory/sweeper.h)
foreach(header IN LISTS headers)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()

list(TRANSFORM libraries PREPEND tidegate_ OUTPUT_VARIABLE targets)
install(TARGETS ${targets} tidegate_middleware tidegate_all EXPORT tidegate
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT tidegate NAMESPACE tidegate:: DESTINATION ${cmake_dir} FILE tidegate-targets.cmake)
if(TARGET tidegate)
  install(TARGETS tidegate RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

configure_package_config_file(cmake/tidegate-config.cmake.in
                              ${PROJECT_BINARY_DIR}/tidegate-config.cmake
                              INSTALL_DESTINATION ${cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tidegate-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tidegate-config.cmake
              ${PROJECT_BINARY_DIR}/tidegate-config-version.cmake
        DESTINATION ${cmake_dir})

# Relative to itself, so that a prefix given at install time, or a moved tree, is right.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_to_prefix /${pc_dir} /)
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
list(REVERSE targets)
list(TRANSFORM targets PREPEND -l)
list(JOIN targets " " pc_libraries)
configure_file(cmake/tidegate.pc.in ${PROJECT_BINARY_DIR}/tidegate.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tidegate.pc DESTINATION ${pc_dir})
