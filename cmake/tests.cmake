# SPDX-License-Identifier: Apache-2.0
# ravel_test(<folder>): every tests/<folder>/*_test.cpp becomes one executable, linked with that layer and what it uses.
# Other .cpp files in the folder are helpers, linked into each of them.

include(GoogleTest)

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

  foreach(source IN LISTS tests)
    get_filename_component(stem "${source}" NAME_WE)
    set(name "test_${prefix}_${stem}")
    add_executable(${name} "${source}" ${helpers} ${objects})
    target_link_libraries(${name} PRIVATE ravel_driver_flags ${layer} GTest::gtest GTest::gtest_main)
    target_compile_definitions(${name} PRIVATE
      RAVEL_SOURCE_DIR="${PROJECT_SOURCE_DIR}" RAVEL_BINARY_DIR="${PROJECT_BINARY_DIR}")
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
    gtest_discover_tests(${name} TEST_PREFIX "${folder}/" DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
      PROPERTIES LABELS unit TIMEOUT 120)
  endforeach()
endfunction()

# add_python_tests(FILE CLASS PREFIX PROPERTY VALUE...): one test PREFIX/name for each `def test_name` of the class, of a
# unittest file beside the CMakeLists.txt. RAVEL is in its environment; more may come by ENVIRONMENT_MODIFICATION.
function(add_python_tests file class prefix)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(script "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${script}")
  file(STRINGS "${script}" lines REGEX "^class |^  *def test_")
  foreach(line IN LISTS lines)
    if(line MATCHES "^class ([A-Za-z]+)")
      set(current "${CMAKE_MATCH_1}")
    elseif(current STREQUAL class AND line MATCHES "def test_([a-z0-9_]+)")
      set(name "${CMAKE_MATCH_1}")
      add_test(NAME "${prefix}/${name}" COMMAND "${Python3_EXECUTABLE}" "${script}" "${class}.test_${name}")
      set_tests_properties("${prefix}/${name}" PROPERTIES ENVIRONMENT "RAVEL=$<TARGET_FILE:ravel>" ${ARGN})
    endif()
  endforeach()
endfunction()
