# SPDX-License-Identifier: Apache-2.0
# What a build with ravel_race_tests() runs (cmake -P): weaves the tests in TESTS with the tool RAVEL, writes the list of
# tests into the file that is named first in FILES, and gives each source named after it a file under OUT: the woven
# copy, or one that includes the source. STAMP records when, STAMP.d which files weaving depends on.
cmake_minimum_required(VERSION 3.25)
set(options "")
if(DEFINED PREFIX)
  set(options --prefix "${PREFIX}")
endif()
execute_process(
  COMMAND "${RAVEL}" weave --quiet --tests "${TESTS}" --compile-commands "${COMMANDS}" --target "${TARGET}"
    --out "${OUT}" ${options}
  RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the race tests in ${TESTS} were not woven")
endif()

file(READ "${OUT}/race-tests.json" tests)
string(JSON count LENGTH "${tests}" sources)
set(woven "")
set(depends "")
if(count GREATER 0)
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    string(JSON source GET "${tests}" sources ${i})
    list(APPEND woven "${source}")
    string(REPLACE " " "\\ " escaped "${source}")
    string(APPEND depends " \\\n  ${escaped}")
  endforeach()
endif()

file(STRINGS "${FILES}" sources)
list(POP_FRONT sources list)
foreach(source IN LISTS sources)
  if(NOT source IN_LIST woven)
    # Touched only when it changes, as the copies are.
    file(CONFIGURE OUTPUT "${OUT}${source}" CONTENT "#include \"${source}\"\n" @ONLY)
  endif()
endforeach()
# The build knows the copies of sources, not those of headers: when one of these is new, all sources are.
foreach(file IN LISTS woven)
  if(NOT file IN_LIST sources AND "${OUT}${file}" IS_NEWER_THAN "${STAMP}")
    list(TRANSFORM sources PREPEND "${OUT}" OUTPUT_VARIABLE copies)
    file(TOUCH ${copies})
    break()
  endif()
endforeach()

execute_process(COMMAND "${CMAKE_COMMAND}" -E copy_if_different "${OUT}/race-tests.json" "${list}"
  COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE " " "\\ " escaped "${STAMP}")
file(WRITE "${STAMP}.d" "${escaped}:${depends}\n")
file(TOUCH "${STAMP}")
