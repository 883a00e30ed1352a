// SPDX-License-Identifier: Apache-2.0
// lines_of(): the lines of what a program wrote. Pure function.
#pragma once

#include <string_view>
#include <vector>

namespace ravel {

// Without their ends, be they those of Unix or of Windows. The last one need not have one.
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace ravel
