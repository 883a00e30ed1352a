// SPDX-License-Identifier: Apache-2.0
#include "driver/crash/crash_file.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "driver/crash/core_file.h"
#include "driver/crash/crash_symbols.h"
#include "driver/crash/crashing_class.h"
#include "driver/crash/stack_text.h"
#include "reports/finding_report.h"

namespace ravel {
namespace {

Result<CrashReport> read_text(const CrashSource& source) {
  std::ifstream file(source.stack, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file && text.empty()) {
    return Status::trouble(fmt::format("cannot read {}", source.stack), "check the name of the file");
  }
  Result<CrashReport> report = parse_crash_text(text, source.stack);
  if (!report.is_ok() || source.binary.empty()) return report;
  if (Status status = symbolise(report.value(), source.binary); !status.is_ok()) return status;
  return report;
}

}  // namespace

Status check_usable(const CrashReport& report, const std::string& name, bool has_binary) {
  bool unnamed = false;  // there is code of the program, but it has no names
  for (const CrashThread& thread : report.threads) {
    if (report.crashed() != nullptr && !thread.crashed) continue;
    for (const CrashFrame& frame : thread.frames) {
      unnamed = unnamed || (!frame.known() && !frame.signal_handler && !is_library_frame(frame));
      if (!is_foreign_frame(frame)) return Status::ok();
    }
  }
  if (unnamed) {
    return Status::trouble(fmt::format("the program's frames in {} have no function names", name),
                           has_binary ? "give the very program that crashed with --binary, not stripped"
                                      : "give the program that crashed with --binary");
  }
  return Status::trouble(fmt::format("the stack in {} has frames of libraries only", name),
                         has_binary ? "record a deeper stack, from a program compiled with -g -fno-omit-frame-pointer"
                                    : "give the program that crashed with --binary, or record a deeper stack");
}

Result<CrashReport> read_crash(const CrashSource& source) {
  const bool is_core = !source.core.empty();
  if (is_core && source.binary.empty()) {
    return Status::trouble("a core file has no functions", "give the program that crashed with --binary");
  }
  Result<CrashReport> report = is_core ? read_core(source.core, source.binary) : read_text(source);
  if (!report.is_ok()) return report;
  const Status status = check_usable(report.value(), is_core ? source.core : source.stack, !source.binary.empty());
  if (!status.is_ok()) return status;
  return report;
}

}  // namespace ravel
