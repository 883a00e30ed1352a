# SPDX-License-Identifier: Apache-2.0
# How our own code is compiled: ravel_driver_flags for the driver and tests, ravel_target_flags for code that lives
# inside the program under test. Both are INTERFACE targets, so a layer names its side and gets the rest.

add_library(ravel_warnings INTERFACE)
target_compile_options(ravel_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:C,CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wcast-qual -Wformat=2 -Werror>
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Woverloaded-virtual>)

add_library(ravel_driver_flags INTERFACE)
target_link_libraries(ravel_driver_flags INTERFACE ravel_warnings)
target_compile_definitions(ravel_driver_flags INTERFACE RAVEL_VERSION="${PROJECT_VERSION}")
target_include_directories(ravel_driver_flags INTERFACE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include")
if(RAVEL_SANITIZE)
  target_compile_options(ravel_driver_flags INTERFACE -fsanitize=${RAVEL_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(ravel_driver_flags INTERFACE -fsanitize=${RAVEL_SANITIZE})
endif()

# How much work the compiler does in the default build type; other build types bring their own flags.
#   -g1  functions and lines, which is what a backtrace needs: to describe every type of a library that consists of
#        headers takes as long as to compile it. For a debugger there is -DCMAKE_BUILD_TYPE=Debug.
#   -Og  for tests, and for layers that read options, write texts and wait for other programs: half the time of -O2
#   -O1  for what includes Clang's headers: their small functions have to be inlined, all else is Clang's own work
set(everyday "$<CONFIG:RelWithDebInfo>")
target_compile_options(ravel_driver_flags INTERFACE "$<$<AND:${everyday},$<COMPILE_LANGUAGE:C,CXX>>:-g1>")
add_library(ravel_compiled_quickly INTERFACE)
target_compile_options(ravel_compiled_quickly INTERFACE "$<${everyday}:-Og>")
add_library(ravel_compiled_for_clang INTERFACE)
target_compile_options(ravel_compiled_for_clang INTERFACE "$<${everyday}:-O1>")

# The ground rules of code inside the target (docs/architecture.md). No libstdc++ at run time, no exceptions thrown,
# nothing exported but the ABI. Always optimised: an execution is thousands of scheduling points.
#   -ftls-model=initial-exec  our thread-local data needs no __tls_get_addr, which may allocate
#   -fno-stack-protector      the canary is read through FS, which a fiber switch changes
add_library(ravel_target_flags INTERFACE)
target_link_libraries(ravel_target_flags INTERFACE ravel_warnings)
target_compile_definitions(ravel_target_flags INTERFACE RAVEL_IN_TARGET=1 RAVEL_VERSION="${PROJECT_VERSION}")
target_include_directories(ravel_target_flags INTERFACE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include")
target_compile_options(ravel_target_flags INTERFACE
  $<$<COMPILE_LANGUAGE:C,CXX>:-fPIC -fvisibility=hidden -fno-stack-protector -fno-omit-frame-pointer
    -ffunction-sections -ftls-model=initial-exec -O2 -g -U_FORTIFY_SOURCE>
  $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden -fno-exceptions -fno-rtti -fno-threadsafe-statics
    -include ${PROJECT_SOURCE_DIR}/base/plain_memory.h>)
# These define memcpy and the like: the compiler must not turn their loops into calls of themselves.
set_source_files_properties(runtime/abi/memory_functions.cpp runtime/call_trace/memory_functions.cpp PROPERTIES
  COMPILE_DEFINITIONS RAVEL_DEFINES_MEMORY_FUNCTIONS COMPILE_OPTIONS -fno-builtin)
set_source_files_properties(base/plain_memory.cpp PROPERTIES COMPILE_OPTIONS -fno-builtin)

# Libraries from outside the project, under the names the layer table uses.
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 CONFIG REQUIRED)
find_library(RAVEL_LIBDW dw REQUIRED)
find_library(RAVEL_LIBELF elf REQUIRED)
add_library(ravel_third_party_fmt INTERFACE)
target_link_libraries(ravel_third_party_fmt INTERFACE fmt::fmt)
add_library(ravel_third_party_json INTERFACE)
target_link_libraries(ravel_third_party_json INTERFACE nlohmann_json::nlohmann_json)
add_library(ravel_third_party_cli11 INTERFACE)
target_link_libraries(ravel_third_party_cli11 INTERFACE CLI11::CLI11)
add_library(ravel_third_party_elf INTERFACE)
target_link_libraries(ravel_third_party_elf INTERFACE ${RAVEL_LIBDW} ${RAVEL_LIBELF})
