// SPDX-License-Identifier: Apache-2.0
// ProgramFile: what the file of a program tells before it is started: whether Ravel can control it, and how much of it
// Ravel will see. Used by `run` and `replay` (which refuse what cannot work) and by `doctor` (which explains).
// Thread safety: no state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/target/target.h"

namespace ravel {

// How the program was built, as far as Ravel cares.
enum class BuildLevel : std::uint8_t {
  plain,            // synchronisation only
  tsan_shared,      // calls __tsan_* in a shared library, whose place Ravel takes
  tsan_static,      // has ThreadSanitizer's own runtime inside: Ravel cannot take its place
  other_sanitizer,  // ASan, MSan, HWASan: their runtimes want the same calls
};

struct ProgramFile {
  std::string path;  // the file that will be started
  BuildLevel level = BuildLevel::plain;
  std::string sanitizer;  // for other_sanitizer: its name
  bool has_debug_info = false;
  bool has_symbols = false;
  std::vector<std::string> needed;  // shared libraries it asks for by name
};

// Finds `typed` as execvp would and looks into the file. Trouble when Ravel cannot control it; each kind of trouble has
// its own sentence and its own advice.
Result<ProgramFile> inspect_program(const std::string& typed);

// Trouble when the file as it was built cannot be taken under control: another runtime is in Ravel's place.
Status check_controllable(const ProgramFile& program, const std::string& typed);

// Looks at the program of a command line and, if it can be controlled, fills in what starting it takes: the file, its
// arguments, the runtime.
Result<ProgramFile> open_program(const std::vector<std::string>& words, TargetSettings& settings);

// The runtime that belongs to this driver: beside the executable, built or installed.
Result<std::string> find_runtime();

}  // namespace ravel
