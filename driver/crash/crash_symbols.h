// SPDX-License-Identifier: Apache-2.0
// symbolise(): gives functions and lines to frames that have only a module and an offset, from the files of the
// modules. Who calls it: crash_file. Thread safety: pure function; reads files.
#pragma once

#include <string>

#include "base/status.h"
#include "driver/crash/crash_report.h"

namespace ravel {

// `binary`: the program that crashed, or one of its libraries. Frames of other modules are completed from the file that
// the report names, if its build id is the one of the report. Trouble when `binary` is not what crashed, by its build
// id.
Status symbolise(CrashReport& report, const std::string& binary);

}  // namespace ravel
