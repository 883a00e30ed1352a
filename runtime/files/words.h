// SPDX-License-Identifier: Apache-2.0
// Reading the tables of /proc: text that is taken apart from its front. std::string_view::substr may throw, which code
// inside the target must not. Thread-safe.
#pragma once

#include <cstdint>
#include <string_view>

namespace ravel {

// The part before the first of `ends`, which is taken off together with that character.
inline std::string_view take_until(std::string_view& text, std::string_view ends) {
  const std::size_t end = text.find_first_of(ends);
  const std::string_view part(text.data(), end == std::string_view::npos ? text.size() : end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

inline std::string_view take_line(std::string_view& text) { return take_until(text, "\n"); }

// The next word; words are separated by spaces and tabs.
inline std::string_view take_word(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  return take_until(text, " \t");
}

inline std::uint64_t take_number(std::string_view& text, unsigned base = 10) {
  std::uint64_t number = 0;
  for (; !text.empty(); text.remove_prefix(1)) {
    const char c = text.front();
    const unsigned digit = c >= 'a' ? static_cast<unsigned>(c - 'a') + 10 : static_cast<unsigned>(c - '0');
    if (c < '0' || digit >= base) break;
    number = number * base + digit;
  }
  return number;
}

}  // namespace ravel
