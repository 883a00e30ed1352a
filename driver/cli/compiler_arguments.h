// SPDX-License-Identifier: Apache-2.0
// plan_compilation(): what `ravel cc` and `ravel c++` make of a compiler's command line. Pure functions: the commands
// are run elsewhere.
//
// Compiling adds the compiler's own -fsanitize=thread instrumentation; linking must not see that option, because it
// would link ThreadSanitizer's runtime instead of Ravel's. So a command that does both becomes several.
//
// Optimisation hides bugs: at -O1 the check of a pointer and its use become one load, and no other task can run in
// between. So the optimisation that the user asked for is reduced to what keeps every access of the source:
//   gcc    -O1 and more: -O1 without the passes that merge or drop loads and stores (kGccKeepsAccesses)
//   clang  -O1 and more: -O0; its passes cannot be switched off one by one. Of `++n` it would show the write only:
//          -tsan-instrument-read-before-write brings the read back
#pragma once

#include <string>
#include <vector>

namespace ravel {

enum class CompilerFamily { gcc, clang };

struct CompilerCommand {
  std::vector<std::string> arguments;  // without the compiler itself
};

struct CompilerCommands {
  std::vector<CompilerCommand> commands;  // to run in this order, each only if the one before succeeded
  std::vector<std::string> temporaries;   // files they leave, to be removed at the end
};

// What Ravel adds to a program.
struct CompilerAdditions {
  std::string runtime;  // path of libravel.so
  std::string headers;  // directory of ravel/sync.h; empty: there is none
};

// `scratch` is a path prefix for temporary objects.
CompilerCommands plan_compilation(CompilerFamily family, const std::vector<std::string>& arguments,
                                  const CompilerAdditions& additions, const std::string& scratch);

// Is one of the arguments a file to compile?
bool names_source(const std::vector<std::string>& arguments);

}  // namespace ravel
