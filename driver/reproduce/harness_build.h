// SPDX-License-Identifier: Apache-2.0
// build_harness(): compiles the harness of a class, with the class's own sources, into one program. What does not
// compile in the harness is left out and named: a method, a value, an object that calls share.
//
// Compiled at -O0: the optimiser merges the check of a pointer and its use into one load, and then no other thread can
// come between them; and a function that is inlined has no entry of its own in a stack.
//
// Who calls it: reproduce(). Writes only into BuildPlan::work. Thread safety: no state.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/process/deadline.h"
#include "driver/reproduce/class_listing.h"

namespace ravel {

struct BuildPlan {
  std::string ravel;                    // this program
  std::vector<std::string> compiler;    // "ccache", "g++"
  std::vector<std::string> c_compiler;  // for sources in C
  std::vector<std::string> options;     // of every compilation, and of linking
  std::vector<std::string> headers;     // absolute
  std::vector<std::string> sources;     // absolute; of the class
  // How a test includes the headers, and the folders where they are then found: a test that is kept names no machine's.
  std::vector<std::string> included;
  std::vector<std::string> folders;
  bool c_headers = false;           // the sources are C, and the headers may not tell a C++ compiler so
  std::filesystem::path directory;  // where the compiler runs
  std::filesystem::path work;
  Deadline deadline;
};

struct BuiltHarness {
  std::string program;
  std::vector<std::string> objects;  // of the class's sources
};

// Takes out of `listing` what does not compile.
Result<BuiltHarness> build_harness(ClassListing& listing, const BuildPlan& plan);

// Compiles `source` and links it with the objects.
Result<std::string> build_test(const std::filesystem::path& source, const std::filesystem::path& program,
                               const std::vector<std::string>& objects, const BuildPlan& plan);

// The command that build_test performs, for people.
std::string build_command(const std::filesystem::path& source, const std::filesystem::path& program,
                          const BuildPlan& plan);

// How the test and the sources of the class are compiled, as compile_commands.json has it: for `ravel pin`, which
// compiles them again, and for editors.
std::string compile_commands_of(const std::filesystem::path& source, const BuildPlan& plan);

// Lines of `file` that the compiler's output has errors for.
std::vector<std::size_t> error_lines(const std::string& output, const std::string& file);

}  // namespace ravel
