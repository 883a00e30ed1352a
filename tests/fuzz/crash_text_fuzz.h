// SPDX-License-Identifier: Apache-2.0
// What both fuzzers of the reader of crash stacks do with one input: the libFuzzer target and the test of the normal
// suite.
#pragma once

#include <string_view>

namespace ravel {

// Any bytes get an answer: a report whose frames can be printed and read again, with a class that is explained; or a
// refusal in one short line. Aborts the process otherwise.
void check_crash_text(std::string_view text);

}  // namespace ravel
