// SPDX-License-Identifier: Apache-2.0
// ProgramFile: what a program's file says before it is started: whether Ravel can control it, and how much of it Ravel
// will see. The commands that run a program refuse what cannot work; `doctor` explains it. Thread safety: no state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/target/target.h"

namespace ravel {

// How the program was built, as far as it matters to Ravel.
enum class BuildLevel : std::uint8_t {
  plain,            // synchronisation only
  tsan_shared,      // calls __tsan_* in a shared library, which Ravel replaces
  tsan_static,      // ThreadSanitizer's runtime is linked in: Ravel cannot replace it
  other_sanitizer,  // ASan, MSan, HWASan: their runtimes intercept the same calls
};

struct ProgramFile {
  std::string path;  // the file that will be started
  BuildLevel level = BuildLevel::plain;
  std::string sanitizer;  // for other_sanitizer: its name
  bool has_debug_info = false;
  bool has_symbols = false;
  std::vector<std::string> needed;  // the shared libraries it needs, by name
};

// Finds `typed` as execvp would and inspects the file. An error when Ravel cannot control it; each reason has its own
// sentence and its own advice.
Result<ProgramFile> inspect_program(const std::string& typed);

// An error when the program cannot be controlled as it was built: another runtime is in Ravel's place.
Status check_controllable(const ProgramFile& program, const std::string& typed);

// Inspects the program of a command line and, if it can be controlled, fills in what is needed to start it: the file,
// its arguments, the runtime.
Result<ProgramFile> open_program(const std::vector<std::string>& words, TargetSettings& settings);

// The runtime that belongs to this driver, found relative to the executable in a build tree or an installation.
Result<std::string> find_runtime();

}  // namespace ravel
