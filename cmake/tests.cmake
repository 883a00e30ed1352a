# SPDX-License-Identifier: Apache-2.0
# ravel_test(<folder> [<other folder>...]): every tests/<folder>/*_test.cpp becomes one executable, linked with that layer
# and what it uses. Other .cpp files in the folder are helpers, compiled once and linked into each of them; so are the
# helpers of the other folders.

find_package(GTest REQUIRED)
include(GoogleTest)

# The interpreter itself: what is found may be a script that searches for it each time, which takes longer than Python.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
execute_process(COMMAND "${Python3_EXECUTABLE}" -c "import sys; print(sys.executable)"
  OUTPUT_VARIABLE Python3_EXECUTABLE OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

# What every test is compiled with. GoogleTest's header is read once for all of them: each includes it anyway, so that
# nothing is found by accident.
add_library(ravel_test_flags INTERFACE)
target_link_libraries(ravel_test_flags INTERFACE
  ravel_driver_flags ravel_compiled_quickly GTest::gtest GTest::gtest_main)
target_compile_definitions(ravel_test_flags INTERFACE
  RAVEL_SOURCE_DIR="${PROJECT_SOURCE_DIR}" RAVEL_BINARY_DIR="${PROJECT_BINARY_DIR}")
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/precompiled_gtest.cpp" CONTENT "#include <gtest/gtest.h>\n")
add_library(ravel_precompiled_gtest OBJECT "${PROJECT_BINARY_DIR}/generated/precompiled_gtest.cpp")
target_link_libraries(ravel_precompiled_gtest PRIVATE ravel_test_flags)
target_precompile_headers(ravel_precompiled_gtest PRIVATE <gtest/gtest.h>)
target_compile_options(ravel_test_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # for ccache

function(ravel_test folder)
  file(GLOB tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/${folder}/*_test.cpp")
  file(GLOB helpers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/${folder}/*.cpp")
  list(FILTER helpers EXCLUDE REGEX "_(test|fuzzer)\\.cpp$")
  string(REPLACE "/" "_" prefix "${folder}")

  # Layers that run inside the target are tested as they are built for it, linked into an ordinary process. The exported
  # ABI would take over the test's own threads, so it is tested from outside (tests/programs, tests/e2e).
  set(layer "")
  set(objects "")
  if(DEFINED RAVEL_SIDE_${folder})
    if(folder STREQUAL "runtime/abi")
    elseif(RAVEL_SIDE_${folder} STREQUAL "target")
      ravel_target_objects("${folder}" objects)
    else()
      ravel_layer_target("${folder}" layer)
    endif()
  endif()

  set(helper_objects "")
  if(helpers)
    add_library(test_${prefix}_helpers OBJECT ${helpers})
    target_link_libraries(test_${prefix}_helpers PRIVATE ravel_test_flags ${layer})
    set(helper_objects "$<TARGET_OBJECTS:test_${prefix}_helpers>")
  endif()
  foreach(other IN LISTS ARGN)
    string(REPLACE "/" "_" other "${other}")
    list(APPEND helper_objects "$<TARGET_OBJECTS:test_${other}_helpers>")
  endforeach()

  foreach(source IN LISTS tests)
    get_filename_component(stem "${source}" NAME_WE)
    set(name "test_${prefix}_${stem}")
    add_executable(${name} "${source}" ${helper_objects} ${objects})
    target_link_libraries(${name} PRIVATE ravel_test_flags ${layer})
    target_precompile_headers(${name} REUSE_FROM ravel_precompiled_gtest)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
    gtest_discover_tests(${name} TEST_PREFIX "${folder}/" DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
      PROPERTIES LABELS unit TIMEOUT 120)
  endforeach()
endfunction()

# add_python_tests(FILE CLASS PREFIX PROPERTY VALUE...): one test PREFIX/name for each `def test_name` of the class, of a
# unittest file next to the CMakeLists.txt. RAVEL is in its environment; ENVIRONMENT_MODIFICATION may add more.
function(add_python_tests file class prefix)
  set(script "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${script}")
  file(STRINGS "${script}" lines REGEX "^class [A-Za-z]+\\(|^  *def test_")
  foreach(line IN LISTS lines)
    if(line MATCHES "^class ([A-Za-z]+)\\(")
      set(current "${CMAKE_MATCH_1}")
    elseif(current STREQUAL class AND line MATCHES "def test_([a-z0-9_]+)")
      set(name "${CMAKE_MATCH_1}")
      add_test(NAME "${prefix}/${name}" COMMAND "${Python3_EXECUTABLE}" "${script}" "${class}.test_${name}")
      set_tests_properties("${prefix}/${name}" PROPERTIES ENVIRONMENT "RAVEL=$<TARGET_FILE:ravel>" ${ARGN})
    endif()
  endforeach()
endfunction()
