// SPDX-License-Identifier: Apache-2.0
// nearest(): the names a user may have meant, closest first by edit distance.
#pragma once

#include <string>
#include <vector>

namespace ravel {

std::vector<std::string> nearest(const std::string& wanted, std::vector<std::string> names, std::size_t at_most = 3);

// "a", "a or b", "a, b or c".
std::string listed(const std::vector<std::string>& names, const std::string& last = "or");

}  // namespace ravel
