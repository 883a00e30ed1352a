// SPDX-License-Identifier: Apache-2.0
// Text for XML reports (JUnit). Pure function.
#pragma once

#include <string>
#include <string_view>

namespace ravel {

// With the characters that XML takes for its own written as it wants them, also within the quotes of an attribute.
std::string xml_text(std::string_view text);

}  // namespace ravel
