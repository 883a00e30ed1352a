# SPDX-License-Identifier: Apache-2.0
# What a build with ravel_add_test() runs (cmake -P) once the binary is linked: asks for its cases and writes OUT, the
# tests that CTest reads. ORDER sets what the user asked for.
cmake_minimum_required(VERSION 3.21)
include("${ORDER}")
file(REMOVE "${OUT}")
# What is said about a mistake comes from the tool.
execute_process(COMMAND "${RAVEL_COMMAND}" run --gtest --list -- "${program}" ${ARG_ARGUMENTS}
  RESULT_VARIABLE status OUTPUT_VARIABLE listed WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "ravel_add_test: ${program} did not list its cases")
endif()

# In a bracket argument every character stands for itself.
function(append_words words)
  foreach(word IN LISTS ARGN)
    string(APPEND ${words} " [==[${word}]==]")
  endforeach()
  set(${words} "${${words}}" PARENT_SCOPE)
endfunction()

# Line by line, by hand: names with ';' or '[' would fall apart, or together, in a list.
set(tests "")
set(number 0)
while(NOT listed STREQUAL "")
  string(FIND "${listed}" "\n" end)
  string(SUBSTRING "${listed}" 0 ${end} name)
  math(EXPR end "${end} + 1")
  string(SUBSTRING "${listed}" ${end} -1 listed)
  math(EXPR number "${number} + 1")
  string(REGEX REPLACE "[^A-Za-z0-9_.-]" "_" directory "${name}")
  set(command "")
  append_words(command "${RAVEL_COMMAND}" run --gtest --case)
  string(APPEND command " [==[${name}]==]")
  append_words(command --out "${CMAKE_CURRENT_BINARY_DIR}/${target}.ravel/${number}-${directory}" ${ARG_OPTIONS} --
    "${program}" ${ARG_ARGUMENTS})
  string(APPEND tests "add_test([==[${prefix}${name}]==]${command})\n")
  set(properties "")
  append_words(properties WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" ${ARG_PROPERTIES})
  string(APPEND tests "set_tests_properties([==[${prefix}${name}]==] PROPERTIES${properties})\n")
endwhile()
file(WRITE "${OUT}" "${tests}")
