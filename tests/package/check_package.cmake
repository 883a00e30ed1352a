# SPDX-License-Identifier: Apache-2.0
# Builds the consumer project with the package FROM (installed or build) and runs Ravel on what comes out.
cmake_minimum_required(VERSION 3.25)
function(run)
  cmake_parse_arguments(ARG "" "EXPECT" "COMMAND" ${ARGN})
  execute_process(COMMAND ${ARG_COMMAND} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL "${ARG_EXPECT}")
    message(FATAL_ERROR "${ARG_COMMAND}\nended with ${status}, expected ${ARG_EXPECT}:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK}")
if(FROM STREQUAL "installed")
  set(prefix "${WORK}/prefix")
  run(EXPECT 0 COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}")
else()
  set(prefix "${BUILD}")
endif()

run(EXPECT 0 COMMAND "${CMAKE_COMMAND}" -G Ninja -S "${SOURCE}/tests/package/consumer" -B "${WORK}/consumer"
  -D "Ravel_DIR=${prefix}/lib/cmake/Ravel" -D "BANK_SOURCE=${SOURCE}/examples/bank.cpp"
  -D "CASES_SOURCE=${SOURCE}/tests/e2e/cases/doctest_cases.cpp"
  -D "EXPLORE_SOURCE=${SOURCE}/tests/e2e/explore/with_main.cpp")
run(EXPECT 0 COMMAND "${CMAKE_COMMAND}" --build "${WORK}/consumer")
run(EXPECT 1 COMMAND "${prefix}/bin/ravel" run --jobs 1 --out "${WORK}/findings" --json "${WORK}/summary.json"
  -- "${WORK}/consumer/bank")

file(READ "${WORK}/summary.json" summary)
string(JSON instrumented GET "${summary}" instrumented)
string(JSON kind GET "${summary}" findings 0 kind)
if(NOT instrumented OR NOT kind STREQUAL "assertion")
  message(FATAL_ERROR "expected an assertion in an instrumented program, got:\n${summary}")
endif()

# One test for each case, by its name, whatever that has in it; the same again with a filter.
run(EXPECT 8 COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${WORK}/consumer" --output-junit "${WORK}/tests.xml")
file(READ "${WORK}/tests.xml" results)
set(failing "loses an update, sometimes" "races" "deadlocks" "asserts \\ with a backslash")
set(passing "passes" "has no threads" "Passes")
foreach(name IN LISTS failing passing)
  set(expected run)
  if(name IN_LIST failing)
    set(expected fail)
  endif()
  string(FIND "${results}" "name=\"ravel/account_tests/${name}\"" begin)
  string(SUBSTRING "${results}" ${begin} 200 test)
  if(begin EQUAL -1 OR NOT test MATCHES "status=\"${expected}\"")
    message(FATAL_ERROR "expected the test '${name}' with status ${expected}, got:\n${results}")
  endif()
endforeach()
foreach(name IN ITEMS "ravel/account_tests/a; b [c]" "some: passes" "some: has no threads" "some: Passes")
  string(FIND "${results}" "name=\"${name}\"" begin)
  if(begin EQUAL -1)
    message(FATAL_ERROR "expected the test '${name}', got:\n${results}")
  endif()
endforeach()
if(NOT results MATCHES "tests=\"11\"")
  message(FATAL_ERROR "expected 11 tests, got:\n${results}")
endif()

set(ENV{PATH} "/usr/bin:/bin")
run(EXPECT 0 COMMAND "${WORK}/consumer/explored" passes)
