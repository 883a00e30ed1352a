# SPDX-License-Identifier: Apache-2.0
# ravel_add_test(target [PREFIX text] [OPTIONS option...] [ARGUMENTS argument...] [PROPERTIES name value...])
#
# Registers each case of a test binary with CTest: the test explores the schedules of that case, as `ravel run` does, and
# passes if nothing is found. The binary is asked for its cases (GoogleTest, Catch2 or doctest) whenever it was built.
#
#   target      an executable; instrument it too (ravel_instrument), so that memory accesses are seen
#   PREFIX      what the names of the tests begin with; the default is ravel/target/
#   OPTIONS     of `ravel run`: --executions 1000, --time 10s. Unless they name --jobs, a test uses one core
#   ARGUMENTS   of the binary: a filter first, if any, then the framework's own options
#   PROPERTIES  of the tests: TIMEOUT 300, LABELS explored
#
# Schedules of findings are saved under target.ravel/ in the current binary directory, in one directory per case.
# Included by RavelConfig.cmake, which says where the tool is.

set(RAVEL_LIST_CASES_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/RavelListCases.cmake")

function(ravel_add_test target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "PREFIX" "OPTIONS;ARGUMENTS;PROPERTIES")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ravel_add_test: write ravel_add_test(target [PREFIX text] [OPTIONS option...] "
      "[ARGUMENTS argument...] [PROPERTIES name value...])")
  endif()
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "ravel_add_test: there is no target ${target}; add it first")
  endif()
  get_target_property(type "${target}" TYPE)
  if(NOT type STREQUAL "EXECUTABLE")
    message(FATAL_ERROR "ravel_add_test: ${target} is no executable")
  endif()
  get_property(known TARGET "${target}" PROPERTY RAVEL_ADD_TEST_CALLS)
  set_property(TARGET "${target}" APPEND PROPERTY RAVEL_ADD_TEST_CALLS call)
  list(LENGTH known number)  # several calls, with other options, have files of their own
  set(prefix "ravel/${target}/")
  if(DEFINED ARG_PREFIX)
    set(prefix "${ARG_PREFIX}")
  endif()
  if(NOT "--jobs" IN_LIST ARG_OPTIONS)
    list(APPEND ARG_OPTIONS --jobs 1)
  endif()

  # What the script needs to know, in a file: words survive that a command line of the build would change.
  set(base "${CMAKE_CURRENT_BINARY_DIR}/${target}.ravel-cases-${number}")
  set(order "")
  foreach(variable IN ITEMS RAVEL_COMMAND CMAKE_CURRENT_BINARY_DIR prefix target ARG_OPTIONS ARG_ARGUMENTS ARG_PROPERTIES)
    string(APPEND order "set(${variable} [==[${${variable}}]==])\n")
  endforeach()
  file(GENERATE OUTPUT "${base}-order-$<CONFIG>.cmake" CONTENT "${order}set(program [==[$<TARGET_FILE:${target}>]==])\n"
    TARGET "${target}")
  add_custom_command(TARGET "${target}" POST_BUILD
    COMMAND "${CMAKE_COMMAND}" -D "ORDER=${base}-order-$<CONFIG>.cmake" -D "OUT=${base}-tests.cmake" -P "${RAVEL_LIST_CASES_SCRIPT}"
    BYPRODUCTS "${base}-tests.cmake" VERBATIM)

  file(CONFIGURE OUTPUT "${base}.cmake" @ONLY CONTENT
"if(EXISTS [==[@base@-tests.cmake]==])
  include([==[@base@-tests.cmake]==])
else()
  add_test([==[@prefix@NOT_BUILT]==] [==[@target@ was not built]==])
endif()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${base}.cmake")
endfunction()
