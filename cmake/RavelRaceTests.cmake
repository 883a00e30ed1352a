# SPDX-License-Identifier: Apache-2.0
# ravel_race_tests(TARGET target TESTS dir [NAME name] [PREFIX text] [DETECTOR ravel|tsan|helgrind|drd])
#
# Builds a second program from a target's sources, with the race tests of a directory woven in, and registers each of
# them with CTest. TARGET itself is left as it is.
#
#   TARGET    an executable or a library. The call comes after everything else that is said about it.
#   TESTS     the directory of the tests: each has a race.txt in a directory of its own, with sources next to it. Sources
#             directly in TESTS belong to all (a main function, when TARGET has none), headers there are found.
#   NAME      of the program; the default is TARGET_race_tests
#   PREFIX    what comments that are points begin with; the default is ravel:
#   DETECTOR  what the program is built for and the tests run with; by default Ravel. With Ravel and ThreadSanitizer
#             the program is instrumented, for valgrind's tools it is not.
#
# How: the copies that `ravel weave` makes, under NAME.woven, are the program's sources. A source that no action touches
# is replaced by a file that includes it. They are compiled with what TARGET's are compiled with; how, the tool reads
# from the compile_commands.json of the build, where an object library, NAME_sources, stands for the sources as they are.
# That library is never built. The sources are woven again when a source, a header with a copy, a race.txt or the tool
# changes; a copy that stays as it was is not compiled again.
#
# Included by RavelConfig.cmake, which says where the tool is. Within Ravel's own build the tool is built first.

set(RAVEL_RACE_TESTS_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/RavelWeave.cmake")

function(ravel_race_tests)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "TARGET;TESTS;NAME;PREFIX;DETECTOR" "")
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_TARGET OR NOT ARG_TESTS)
    message(FATAL_ERROR "ravel_race_tests: write ravel_race_tests(TARGET target TESTS dir [NAME name] [PREFIX text] "
      "[DETECTOR ravel|tsan|helgrind|drd])")
  endif()
  if(NOT TARGET "${ARG_TARGET}")
    message(FATAL_ERROR "ravel_race_tests: there is no target ${ARG_TARGET}; add it first")
  endif()
  if(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    message(FATAL_ERROR "ravel_race_tests: ${CMAKE_GENERATOR} writes no compile_commands.json; use Ninja or Makefiles")
  endif()
  get_filename_component(tests "${ARG_TESTS}" ABSOLUTE)
  file(GLOB_RECURSE race_files CONFIGURE_DEPENDS "${tests}/*/race.txt")
  if(NOT race_files)
    message(FATAL_ERROR "ravel_race_tests: ${tests} has no race test; each is a directory with a race.txt in it")
  endif()
  set(name "${ARG_TARGET}_race_tests")
  if(ARG_NAME)
    set(name "${ARG_NAME}")
  endif()
  set(detector ravel)
  if(ARG_DETECTOR)
    set(detector "${ARG_DETECTOR}")
  endif()
  if(NOT detector MATCHES "^(ravel|tsan|helgrind|drd)$")
    message(FATAL_ERROR "ravel_race_tests: ${detector} is not a detector: choose ravel, tsan, helgrind or drd")
  endif()
  set(tool_files "${RAVEL_COMMAND}" "${RAVEL_COMMAND}-analyzer" "${RAVEL_SYNC_LIBRARY}")
  if(TARGET ravel)
    set(tool_files ravel ravel-analyzer ravel_sync)
  endif()

  # What is compiled: sources become copies, the rest (objects, generator expressions) stays.
  get_target_property(listed "${ARG_TARGET}" SOURCES)
  get_target_property(base "${ARG_TARGET}" SOURCE_DIR)
  file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS
    "${tests}/*.cpp" "${tests}/*.cc" "${tests}/*.cxx" "${tests}/*.c")
  set(woven "${CMAKE_CURRENT_BINARY_DIR}/${name}.woven")
  set(originals "")
  set(copies "")
  set(others "")
  set(generated FALSE)
  # Copies of headers come first: directories of a source come before those of its target.
  set(directories "$<TARGET_PROPERTY:${name}_sources,INCLUDE_DIRECTORIES>")
  set(directories "$<$<BOOL:${directories}>:${woven}$<JOIN:${directories},;${woven}>>")
  foreach(source IN LISTS listed test_sources)
    if(source MATCHES "\\$<")
      list(APPEND others "${source}")
      continue()
    endif()
    get_filename_component(source "${source}" ABSOLUTE BASE_DIR "${base}")
    if(NOT source MATCHES "\\.(c|cc|cpp|cxx|c\\+\\+|C)$")
      list(APPEND others "${source}")
      continue()
    endif()
    list(APPEND originals "${source}")
    list(APPEND copies "${woven}${source}")
    get_filename_component(directory "${source}" DIRECTORY)
    get_source_file_property(options "${source}" TARGET_DIRECTORY "${ARG_TARGET}" COMPILE_OPTIONS)
    if(NOT options)
      set(options "")
    endif()
    # What a copy includes in quotes is next to the original, unless it has a copy itself.
    set_source_files_properties("${woven}${source}" PROPERTIES
      GENERATED TRUE COMPILE_OPTIONS "${options};-iquote;${directory}" INCLUDE_DIRECTORIES "${directories}")
    foreach(property IN ITEMS COMPILE_DEFINITIONS COMPILE_FLAGS INCLUDE_DIRECTORIES LANGUAGE GENERATED)
      get_source_file_property(value "${source}" TARGET_DIRECTORY "${ARG_TARGET}" ${property})
      if(value AND property STREQUAL "GENERATED")
        set(generated TRUE)
      elseif(value)
        set_property(SOURCE "${woven}${source}" APPEND PROPERTY ${property} "${value}")
      endif()
    endforeach()
  endforeach()

  add_library(${name}_sources OBJECT EXCLUDE_FROM_ALL ${originals})
  add_executable(${name} ${copies} ${others})
  foreach(one IN ITEMS ${name}_sources ${name})
    ravel_compile_like(${one} "${ARG_TARGET}")
    target_include_directories(${one} PRIVATE "${tests}")
    target_link_libraries(${one} PRIVATE Ravel::headers)
  endforeach()
  target_link_libraries(${name} PRIVATE "${RAVEL_SYNC_LIBRARY}")
  set_target_properties(${name}_sources PROPERTIES
    EXPORT_COMPILE_COMMANDS ON C_COMPILER_LAUNCHER "" CXX_COMPILER_LAUNCHER "")
  set_target_properties(${name} PROPERTIES EXPORT_COMPILE_COMMANDS OFF)
  if(detector STREQUAL "ravel")
    ravel_instrument(${name})
  elseif(detector STREQUAL "tsan")
    target_compile_options(${name} PRIVATE -fsanitize=thread)
    target_link_options(${name} PRIVATE -fsanitize=thread)
  endif()

  # Weaving.
  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/${name}.woven.stamp")
  set(prefix "")
  if(ARG_PREFIX)
    set(prefix -D "PREFIX=${ARG_PREFIX}")
  endif()
  # In a file: in the command, the name of the program would make weaving wait for it.
  file(GENERATE OUTPUT "${woven}.txt" CONTENT "$<TARGET_FILE:${name}>.race-tests.json\n$<JOIN:${originals},\n>\n")
  add_custom_command(OUTPUT "${stamp}" BYPRODUCTS ${copies}
    COMMAND "${CMAKE_COMMAND}" -D "RAVEL=${RAVEL_COMMAND}" -D "TESTS=${tests}" -D "OUT=${woven}" -D "TARGET=${name}_sources"
      -D "COMMANDS=${CMAKE_BINARY_DIR}/compile_commands.json" -D "FILES=${woven}.txt" -D "STAMP=${stamp}"
      ${prefix} -P "${RAVEL_RACE_TESTS_SCRIPT}"
    DEPENDS ${originals} ${race_files} ${tool_files} "${RAVEL_RACE_TESTS_SCRIPT}" "${woven}.txt"
    DEPFILE "${stamp}.d"
    COMMENT "Weaving the race tests of ${ARG_TARGET}" VERBATIM)
  add_custom_target(${name}_woven DEPENDS "${stamp}")
  add_dependencies(${name} ${name}_woven)
  if(generated)
    add_dependencies(${name}_woven "${ARG_TARGET}")
  endif()

  # One test each. A new race.txt, or a new name in one, makes CMake configure again.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${race_files})
  foreach(race_file IN LISTS race_files)
    get_filename_component(directory "${race_file}" DIRECTORY)
    get_filename_component(test "${directory}" NAME)
    file(STRINGS "${race_file}" named REGEX "^[ \t]*test[ \t]+[^ \t#]+")
    if(named MATCHES "^[ \t]*test[ \t]+([^ \t#]+)")
      set(test "${CMAKE_MATCH_1}")
    endif()
    add_test(NAME "${name}/${test}" COMMAND "${RAVEL_COMMAND}" test --detector ${detector} --test "${test}" --
      "$<TARGET_FILE:${name}>")
  endforeach()
endfunction()

# Compiles and links a target as another one is.
function(ravel_compile_like target model)
  foreach(property IN ITEMS COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FEATURES INCLUDE_DIRECTORIES LINK_OPTIONS
      LINK_DIRECTORIES)
    # Of what the model links, these come with the libraries below.
    get_target_property(value "${model}" ${property})
    if(value)
      set_property(TARGET ${target} APPEND PROPERTY ${property} "${value}")
    endif()
  endforeach()
  get_target_property(libraries "${model}" LINK_LIBRARIES)
  if(libraries)
    target_link_libraries(${target} PRIVATE ${libraries})
  endif()
  foreach(property IN ITEMS C_STANDARD C_EXTENSIONS C_STANDARD_REQUIRED CXX_STANDARD CXX_EXTENSIONS CXX_STANDARD_REQUIRED
      COMPILE_FLAGS LINK_FLAGS POSITION_INDEPENDENT_CODE C_VISIBILITY_PRESET CXX_VISIBILITY_PRESET AUTOMOC AUTOUIC AUTORCC)
    get_target_property(value "${model}" ${property})
    if(NOT value MATCHES "NOTFOUND$")
      set_target_properties(${target} PROPERTIES ${property} "${value}")
    endif()
  endforeach()
endfunction()
