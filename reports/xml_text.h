// SPDX-License-Identifier: Apache-2.0
// xml_text(): escapes text for XML reports (JUnit). Pure function.
#pragma once

#include <string>
#include <string_view>

namespace ravel {

// `text` with the special characters of XML escaped; safe inside attribute quotes too.
std::string xml_text(std::string_view text);

}  // namespace ravel
