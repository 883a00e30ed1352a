// SPDX-License-Identifier: Apache-2.0
// FailureNotes: how a program failed, from the lines around its stacks and from the functions in them.
// Who calls it: stack_text, with every line that is no frame. Thread safety: one owner.
//
// Invariant: what says more wins: a detector, then an assertion or an exception, then a signal, then an abort; of two
// that say the same much, the first.
#pragma once

#include <string>
#include <string_view>

#include "driver/crash/crash_report.h"

namespace ravel {

class FailureNotes {
 public:
  void take_line(std::string_view line);
  // What the functions of the thread that crashed say, if no line said more.
  void take_frames(const CrashThread& thread);
  const CrashFailure& failure() const { return failure_; }

 private:
  void note(int weight, CrashFailure failure);
  void note_signal(std::string_view name, std::string_view message);
  bool take_detector(std::string_view line);
  bool take_ravel(std::string_view line);

  int weight_ = 0;
  CrashFailure failure_;
  bool message_follows_ = false;  // on the next line
  bool has_what_ = false;         // the message has the exception's own words
};

}  // namespace ravel
