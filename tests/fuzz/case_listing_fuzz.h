// SPDX-License-Identifier: Apache-2.0
// What both fuzzers of the listings of test binaries do with one input: the libFuzzer target and the test of the normal
// suite.
#pragma once

#include <string_view>

namespace ravel {

// Any text gets an answer, and what is read from it can be selected: a case has a name of one line, and the pattern for
// it means that name and no list of patterns. Aborts the process otherwise.
void check_case_listing(std::string_view text);

}  // namespace ravel
