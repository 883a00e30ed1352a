// SPDX-License-Identifier: Apache-2.0
// infer_class(): which class a crash is about, and which of its methods was called when it crashed. A test that
// reproduces the crash calls that method.
//
// Who calls it: `ravel reproduce`, which shows the sentence. Thread safety: pure functions.
//
// The class is that of the innermost frames that no library has, below the handler of a signal if there is one. Its
// frames are a run: frames of libraries between them, lambdas and helpers of the same file do not end it. The crashing
// method is the outermost frame of the run: the one that code outside the class called. Names do not tell classes from
// namespaces; constructors, const methods, template arguments and `this` do, anywhere in the report. Where nothing
// does, CrashingClass::sure is false.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "driver/crash/crash_report.h"

namespace ravel {

// What the user said; empty: find out. The class may be without its namespaces or template arguments.
struct ClassWish {
  std::string class_name;
  std::string method;
  // Of a C library: the class is a handle, and these are its methods.
  std::set<std::string> functions = {};
};

struct CrashingClass {
  enum class Verdict : std::uint8_t { found, ambiguous, absent };

  Verdict verdict = Verdict::absent;
  std::string sentence;  // for the user, whatever the verdict

  // Only when found:
  std::string class_name;  // "app::Ring<int>"; of functions over a handle, its type
  std::string method;      // the crashing method: "push"
  std::size_t thread = 0;  // in CrashReport::threads
  std::size_t first = 0;   // the innermost frame of the class
  std::size_t entry = 0;   // the frame of the crashing method
  bool sure = false;       // it is known to be a class

  std::vector<std::string> others;  // classes that it could be instead, innermost first

  bool found() const { return verdict == Verdict::found; }
};

// Whose method the function of a frame is: its scope, or the handle that it is about. Empty: nobody's.
std::string class_of(const CrashFrame& frame, const ClassWish& wish);

CrashingClass infer_class(const CrashReport& report, const ClassWish& wish = {});

// Code that the user did not write: the standard library, Boost, Abseil, libc, the sanitizers; and unknown code.
bool is_foreign_frame(const CrashFrame& frame);

}  // namespace ravel
