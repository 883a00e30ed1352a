// SPDX-License-Identifier: Apache-2.0
// ThreadHeading: what a line says about the thread whose stack follows. Who calls it: stack_text, with lines that are
// no frames. Thread safety: pure function.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ravel {

struct ThreadHeading {
  std::string id;    // "3", "T1"; may be empty
  std::string name;  // may be empty
  std::string text;  // what the stack is, where the line says more than id and name: "freed by thread T2 here"
  bool crashed = false;
  bool starts_stack = false;  // a stack begins here, whatever the number of its first frame
  bool of_later = false;      // says only which thread crashed; its stack has its own heading, or none
};

std::optional<ThreadHeading> read_thread_heading(std::string_view line);

}  // namespace ravel
