# SPDX-License-Identifier: Apache-2.0
# Builds the consumer project with the package FROM (installed or build) and runs Ravel on what comes out.
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

set(ENV{PATH} "/usr/bin:/bin")
run(EXPECT 0 COMMAND "${WORK}/consumer/explored" passes)
