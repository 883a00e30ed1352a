// SPDX-License-Identifier: Apache-2.0
// CrashReport: what a crash left behind, the same value whatever wrote it: how the program failed, and the stack of
// each thread.
//
// Who makes it: stack_text (from text) and core_file. Who reads it: crash_symbols, which completes it; crashing_class;
// `ravel reproduce`. Thread safety: plain values.
//
// Invariants:
//  1. Frames are newest first, also where the text has them the other way round.
//  2. CrashFrame::name is the function taken apart. Change both with set_function.
//  3. Texts of a frame are one line of printable text, without runs of blanks: frame_text can be read again. set_place
//     and set_module see to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/crash/function_name.h"
#include "model/finding.h"
#include "reports/symboliser.h"

namespace ravel {

enum class CrashFormat : std::uint8_t {
#define RAVEL_CRASH_FORMAT(enumerator, name) enumerator,
#include "driver/crash/crash_format.def"
#undef RAVEL_CRASH_FORMAT
};
std::string_view format_name(CrashFormat format);

// Of Frame, `function` is demangled and otherwise as given, "??" when unknown; `offset` is 0 when unknown.
struct CrashFrame : Frame {
  FunctionName name;
  std::string arguments;                 // values, where a debugger shows them: "this=0x0, level=1"
  std::optional<std::uint64_t> address;  // in the process that crashed
  std::string build_id;                  // of the module
  bool method = false;                   // it has a `this`, so its scope is a class
  bool signal_handler = false;           // the kernel called a handler here; the next frame is what was interrupted

  bool known() const { return !name.parts.empty(); }

  friend bool operator==(const CrashFrame&, const CrashFrame&) = default;
};

// `text` may be mangled. What debuggers write for "unknown" becomes "??".
void set_function(CrashFrame& frame, std::string_view text);

// `line` 0: unknown.
void set_place(CrashFrame& frame, std::string_view file, std::uint32_t line, std::uint32_t column = 0);
void set_module(CrashFrame& frame, std::string_view module, std::uint64_t offset);

// One line of printable text, without runs of blanks and blanks at the ends.
std::string one_line(std::string_view text);
// The same without brackets that are not closed, or not opened.
std::string path_text(std::string_view path);

struct CrashThread {
  std::string id;       // as the report calls it: "3", "T1"; may be empty
  std::string name;     // may be empty
  std::string heading;  // what the report says above the stack: "freed by thread T2 here"; may be empty
  bool crashed = false;
  std::vector<CrashFrame> frames;

  friend bool operator==(const CrashThread&, const CrashThread&) = default;
};

struct CrashFailure {
  std::optional<FindingKind> kind;  // nullopt: not told, or nothing that Ravel has a name for
  std::string message;              // one sentence; may be empty
  std::string signal;               // "SIGSEGV"; may be empty
  std::string detector;             // "AddressSanitizer"; empty when none was there

  friend bool operator==(const CrashFailure&, const CrashFailure&) = default;
};

struct CrashReport {
  CrashFormat format = CrashFormat::gdb;
  CrashFailure failure;
  std::vector<CrashThread> threads;  // those with frames, in the order of the report

  // The thread that crashed; nullptr when there is none, or the report does not say which.
  const CrashThread* crashed() const;

  friend bool operator==(const CrashReport&, const CrashReport&) = default;
};

// "#0 app::Logger::log(int)  logger.cpp:12:3 (prog+0x1f0) (BuildId: 12ab) (inlined) (method)". What is unknown is left
// out; so are address and arguments, which differ from run to run. Reading it gives the same frame.
std::string frame_text(const CrashFrame& frame, std::size_t number);

// Failure and stacks, for the user to compare.
std::string crash_text(const CrashReport& report);

}  // namespace ravel
