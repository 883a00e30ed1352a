// SPDX-License-Identifier: Apache-2.0
// Arguments and environment of a process that is going to be started, as the kernel wants them. No state.
#pragma once

#include <string>
#include <vector>

namespace ravel {

// The environment of this process, with these entries ("NAME=value") in place of what it has under their names.
std::vector<std::string> environment_with(const std::vector<std::string>& ours);

// A list that ends with a null pointer. It points into the strings.
std::vector<char*> word_pointers(std::vector<std::string>& words);

}  // namespace ravel
