// SPDX-License-Identifier: Apache-2.0
#include "reports/xml_text.h"

namespace ravel {

std::string xml_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\n':
      case '\t':
        result += c;
        break;
      default:
        // XML allows no other control characters; invalid UTF-8 would make the whole file unreadable.
        result += c >= ' ' && c < 0x7f ? c : '?';
    }
  }
  return result;
}

}  // namespace ravel
