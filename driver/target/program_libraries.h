// SPDX-License-Identifier: Apache-2.0
// ProgramLibraries: which shared libraries a program is loaded with, which of them are instrumented, and which
// functions of the others instrumented code calls. Used by `ravel doctor`: what happens inside an uninstrumented
// library is unseen, so races there are not found, and order made there is not known. Thread safety: no state.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace ravel {

struct ProgramLibrary {
  std::string name;                 // as it is asked for: "libz.so.1"
  std::string path;                 // empty: not found
  bool instrumented = false;        // it calls __tsan_*
  bool runtime = false;             // part of the C or C++ runtime, or a sanitizer's: Ravel knows its functions
  std::vector<std::string> called;  // functions and variables of it that instrumented files use, in order; demangled
};

// All libraries the loader would load with the program, in its order; those that the program opens itself (dlopen) are
// not among them. Asks the loader, which reads the files but runs none of their code.
Result<std::vector<ProgramLibrary>> list_libraries(const std::string& program);

// True for libc, libstdc++ and their like.
bool is_runtime_library(const std::string& name);

}  // namespace ravel
