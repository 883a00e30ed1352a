// SPDX-License-Identifier: Apache-2.0
// What both fuzzers of the reader of race.txt do with one input: the libFuzzer target and the test of the normal suite.
#pragma once

#include <string_view>

namespace ravel {

// Any text gets an answer. What is read must be writable and come back the same; what is refused must be explained in
// one short line. Aborts the process otherwise.
void check_race_file(std::string_view text);

}  // namespace ravel
