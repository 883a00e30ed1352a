# SPDX-License-Identifier: Apache-2.0
# What the build delivers: lib/libravel.so (the runtime, inside the target), lib/libravel_sync.a (sync points of race
# tests, linked into programs), lib/libravel_calls.so (traces calls of a harness), bin/ravel (the driver) and bin/ravel-analyzer (what needs Clang).

ravel_target_objects(runtime/abi runtime_objects)
if(runtime_objects)
  add_library(ravel_runtime SHARED ${runtime_objects})
  # The name that programs built with g++ -fsanitize=thread ask for: preloaded, we are what they need.
  set_target_properties(ravel_runtime PROPERTIES
    OUTPUT_NAME ravel
    NO_SONAME ON
    LINKER_LANGUAGE CXX
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  target_link_options(ravel_runtime PRIVATE
    -nodefaultlibs -Wl,-soname,libtsan.so.2 -Wl,--no-undefined -Wl,-z,now -Wl,-z,nodelete)
  target_link_libraries(ravel_runtime PRIVATE -lc -lgcc)
  add_custom_command(TARGET ravel_runtime POST_BUILD
    COMMAND "${CMAKE_COMMAND}" -E create_symlink libravel.so "${PROJECT_BINARY_DIR}/lib/libtsan.so.2" VERBATIM)

  # The name that programs built with clang -fsanitize=thread -shared-libsan ask for.
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/clang_name.c"
    CONTENT "/* Only a name: the symbols are in libravel.so, which this library needs. */\ntypedef int ravel_clang_name;\n")
  add_library(ravel_clang_name SHARED "${PROJECT_BINARY_DIR}/generated/clang_name.c")
  set_target_properties(ravel_clang_name PROPERTIES
    OUTPUT_NAME clang_rt.tsan-x86_64
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib"
    BUILD_WITH_INSTALL_RPATH ON
    INSTALL_RPATH "$ORIGIN")
  target_link_options(ravel_clang_name PRIVATE -nodefaultlibs -Wl,--no-as-needed)
  target_link_libraries(ravel_clang_name PRIVATE ravel_runtime)

  install(TARGETS ravel_runtime ravel_clang_name LIBRARY DESTINATION lib/ravel)
  install(CODE "file(CREATE_LINK libravel.so \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/ravel/libtsan.so.2\" SYMBOLIC)")
endif()

# What the harness of `ravel reproduce` runs with when its calls are traced, in place of libravel.so and under its name.
ravel_target_objects(runtime/call_trace call_trace_objects)
add_library(ravel_calls SHARED ${call_trace_objects})
set_target_properties(ravel_calls PROPERTIES
  NO_SONAME ON
  LINKER_LANGUAGE CXX
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
target_link_options(ravel_calls PRIVATE -nodefaultlibs -Wl,-soname,libtsan.so.2 -Wl,--no-undefined -Wl,-z,now)
target_link_libraries(ravel_calls PRIVATE -lc -lgcc)
install(TARGETS ravel_calls LIBRARY DESTINATION lib/ravel)

# Always optimised, so that its calls into the engine leave no frame behind; never instrumented, whatever RAVEL_SANITIZE.
add_library(ravel_sync STATIC runtime/foreign_sync/sync_points.c)
target_link_libraries(ravel_sync PRIVATE ravel_warnings)
target_include_directories(ravel_sync PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include")
target_compile_options(ravel_sync PRIVATE -O2 -fno-stack-protector -fno-omit-frame-pointer -U_FORTIFY_SOURCE)
set_target_properties(ravel_sync PROPERTIES
  POSITION_INDEPENDENT_CODE ON
  ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
install(TARGETS ravel_sync ARCHIVE DESTINATION lib/ravel)

if(EXISTS "${PROJECT_SOURCE_DIR}/driver/cli/main.cpp")
  add_executable(ravel driver/cli/main.cpp)
  target_link_libraries(ravel PRIVATE ravel_driver_flags ravel_driver_cli)
  set_target_properties(ravel PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  if(TARGET ravel_runtime)
    add_dependencies(ravel ravel_runtime ravel_clang_name ravel_sync ravel_calls)
  endif()
  install(TARGETS ravel RUNTIME DESTINATION bin)
endif()

# What needs Clang, next to the driver, which starts it (cmake/clang.cmake).
if(RAVEL_HAVE_CLANG)
  add_executable(ravel-analyzer analysis/analyzer/main.cpp)
  target_link_libraries(ravel-analyzer PRIVATE ravel_driver_flags ravel_analysis_analyzer)
  set_target_properties(ravel-analyzer PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  install(TARGETS ravel-analyzer RUNTIME DESTINATION bin)
endif()

# What programs include, where the tool looks for it when it is used in place.
foreach(header IN ITEMS sync.h race_test.h annotations.h harness.h explore.h explore_gtest.h explore_catch2.h explore_doctest.h)
  configure_file("${PROJECT_SOURCE_DIR}/include/ravel/${header}" "${PROJECT_BINARY_DIR}/include/ravel/${header}" COPYONLY)
endforeach()

# find_package(Ravel): from an installed tree, and from the build directory itself with -DRavel_DIR=build/lib/cmake/Ravel.
include(CMakePackageConfigHelpers)
set(package "${PROJECT_BINARY_DIR}/lib/cmake/Ravel")
write_basic_package_version_file("${package}/RavelConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
set(RAVEL_CONFIG_INCLUDES "\"${PROJECT_SOURCE_DIR}/include\" \"${PROJECT_SOURCE_DIR}\"")
set(RAVEL_CONFIG_LIBRARIES lib)
configure_file("${PROJECT_SOURCE_DIR}/cmake/RavelConfig.cmake.in" "${package}/RavelConfig.cmake" @ONLY)
set(RAVEL_MODULES RavelAddTest RavelListCases RavelRaceTests RavelWeave)
foreach(module IN LISTS RAVEL_MODULES)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${module}.cmake" "${package}/${module}.cmake" COPYONLY)
endforeach()
configure_file("${PROJECT_SOURCE_DIR}/cmake/launch" "${PROJECT_BINARY_DIR}/lib/ravel/launch" COPYONLY)

# What public headers include of ours goes to a folder of its own, so that it does not get in the way of another
# <model/...>.
set(RAVEL_CONFIG_INCLUDES "\"\${RAVEL_PREFIX}/include\" \"\${RAVEL_PREFIX}/include/ravel/internal\"")
set(RAVEL_CONFIG_LIBRARIES lib/ravel)
configure_file("${PROJECT_SOURCE_DIR}/cmake/RavelConfig.cmake.in" "${PROJECT_BINARY_DIR}/generated/RavelConfig.cmake" @ONLY)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/ravel" DESTINATION include FILES_MATCHING PATTERN "*.h")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/model" "${PROJECT_SOURCE_DIR}/base" DESTINATION include/ravel/internal
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
list(TRANSFORM RAVEL_MODULES REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/cmake/\\1.cmake" OUTPUT_VARIABLE modules)
install(FILES "${PROJECT_BINARY_DIR}/generated/RavelConfig.cmake" "${package}/RavelConfigVersion.cmake"
  ${modules} DESTINATION lib/cmake/Ravel)
install(PROGRAMS "${PROJECT_SOURCE_DIR}/cmake/launch" DESTINATION lib/ravel)
