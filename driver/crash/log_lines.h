// SPDX-License-Identifier: Apache-2.0
// The lines of a text without what terminals and log collectors add: colours, Windows line ends, other control
// characters, and in front the time, the host and the program. Who calls it: stack_text. Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ravel {

// Tabs become blanks. Linear time.
std::vector<std::string> log_lines(std::string_view text);

// "Nov 17 10:35:00 host prog[12]:   #0 ..." -> "  #0 ...". Lines that begin otherwise stay as they are.
std::string_view without_log_prefix(std::string_view line);

}  // namespace ravel
