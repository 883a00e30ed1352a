// SPDX-License-Identifier: Apache-2.0
// read_crash(): a crash report that `ravel reproduce` can work with, from what the user has: a text or a core file, and
// the program. Who calls it: `ravel reproduce`. Thread safety: pure functions; reads files.
#pragma once

#include <string>

#include "base/status.h"
#include "driver/crash/crash_report.h"

namespace ravel {

struct CrashSource {
  std::string stack;   // a text file; or
  std::string core;    // a core file
  std::string binary;  // the program; needed for a core file and for frames without symbols
};

// At least one frame of the report is the program's own code and has a name.
Result<CrashReport> read_crash(const CrashSource& source);

// Can anything be inferred from these stacks? `name`: of the file, for messages.
Status check_usable(const CrashReport& report, const std::string& name, bool has_binary);

}  // namespace ravel
