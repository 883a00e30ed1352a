// SPDX-License-Identifier: Apache-2.0
// ProgramLibrary: the shared libraries that a program is loaded with, which of them are instrumented, and which
// functions of the others instrumented code calls. Used by `ravel pin` to link a program again and by `ravel doctor`:
// Ravel does not see what happens inside an uninstrumented library, so it misses races and synchronisation there.
// Thread safety: no state.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace ravel {

struct ProgramLibrary {
  std::string name;                 // the name it is requested by: "libz.so.1"
  std::string path;                 // empty: not found
  bool instrumented = false;        // it calls __tsan_*
  bool runtime = false;             // part of the C or C++ runtime, or of a sanitizer: Ravel knows its functions
  std::vector<std::string> called;  // its functions and variables that instrumented files use, sorted and demangled
};

// All libraries that the loader would load with the program, in its order, without those that the program opens itself
// (dlopen). Asks the loader, which reads the files but runs none of their code.
Result<std::vector<ProgramLibrary>> list_libraries(const std::string& program);

}  // namespace ravel
