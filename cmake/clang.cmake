# SPDX-License-Identifier: Apache-2.0
# Clang's libraries, for ravel-analyzer alone. Without them the build continues without the analyzer, and says so.

find_program(RAVEL_LLVM_CONFIG NAMES llvm-config-19 HINTS /usr/lib/llvm-19/bin)
set(RAVEL_HAVE_CLANG FALSE)
if(RAVEL_LLVM_CONFIG)
  foreach(question IN ITEMS includedir libdir)
    execute_process(COMMAND "${RAVEL_LLVM_CONFIG}" --${question} OUTPUT_VARIABLE llvm_${question}
      OUTPUT_STRIP_TRAILING_WHITESPACE)
  endforeach()
  find_path(RAVEL_CLANG_HEADERS clang/Tooling/Tooling.h HINTS "${llvm_includedir}" NO_DEFAULT_PATH)
  find_library(RAVEL_CLANG_LIBRARY NAMES clang-cpp libclang-cpp.so.19.1 libclang-cpp.so.19 HINTS "${llvm_libdir}")
  find_library(RAVEL_LLVM_LIBRARY NAMES LLVM-19 HINTS "${llvm_libdir}")
  find_path(RAVEL_CLANG_RESOURCES include/stddef.h HINTS "${llvm_libdir}/clang/19" NO_DEFAULT_PATH)
  if(RAVEL_CLANG_HEADERS AND RAVEL_CLANG_LIBRARY AND RAVEL_LLVM_LIBRARY AND RAVEL_CLANG_RESOURCES)
    set(RAVEL_HAVE_CLANG TRUE)
  endif()
endif()

add_library(ravel_third_party_clang INTERFACE)
if(RAVEL_HAVE_CLANG)
  target_include_directories(ravel_third_party_clang SYSTEM INTERFACE "${RAVEL_CLANG_HEADERS}")
  target_link_libraries(ravel_third_party_clang INTERFACE "${RAVEL_CLANG_LIBRARY}" "${RAVEL_LLVM_LIBRARY}")
  # LLVM is built without run-time type information; classes that derive from its own must be too. g++ 12 wrongly sees a
  # null pointer in its headers.
  target_compile_options(ravel_third_party_clang INTERFACE -fno-rtti -Wno-nonnull)
  target_compile_definitions(ravel_third_party_clang INTERFACE RAVEL_CLANG_RESOURCES="${RAVEL_CLANG_RESOURCES}")
else()
  message(STATUS "libclang-19-dev or llvm-19-dev is not installed: ravel-analyzer and its tests are left out")
endif()
