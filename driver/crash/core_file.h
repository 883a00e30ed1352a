// SPDX-License-Identifier: Apache-2.0
// read_core(): the stacks of all threads from a core file, unwound and symbolised with elfutils.
// Who calls it: `ravel reproduce --core`. Thread safety: pure function; reads files.
#pragma once

#include <string>

#include "base/status.h"
#include "driver/crash/crash_report.h"

namespace ravel {

// `binary`: the program that crashed. The libraries are those that the core file names, where they still are.
Result<CrashReport> read_core(const std::string& path, const std::string& binary);

}  // namespace ravel
