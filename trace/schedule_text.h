// SPDX-License-Identifier: Apache-2.0
// The notations of the schedule format: numbers, quoted words, key=value. Shared by writer, reader and the text of
// plans, so that each notation exists once. Driver-side only; pure functions.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ravel {

inline void append_number(std::string& out, std::uint64_t value, int base = 10) {
  char digits[32];
  const auto result = std::to_chars(digits, digits + sizeof digits, value, base);
  out.append(digits, result.ptr);
}

// The whole text must be a number that fits. Hexadecimal digits must be lower case: a number has one notation.
template <typename T>
std::optional<T> parse_number(std::string_view text, int base = 10) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value, base);
  if (text.find_first_of("ABCDEF") != std::string_view::npos) return std::nullopt;
  if (text.empty() || result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  return value;
}

// Leaves the field unchanged when there is no value; returns whether there was one.
template <typename T>
bool assign(T& field, const std::optional<T>& value) {
  if (value) field = *value;
  return value.has_value();
}

// One word of a header line: as it is when it has only harmless characters, otherwise in double quotes with \" \\ \n \t
// and \xHH for everything that is not printable ASCII.
void append_quoted(std::string& out, std::string_view word);

// The words of a header value. nullopt when quotes or escapes are malformed.
std::optional<std::vector<std::string>> split_quoted(std::string_view text);

struct KeyValue {
  std::string_view key;
  std::string_view value;
};

// "depth=3" -> {depth, 3}; nullopt without '='.
std::optional<KeyValue> split_key_value(std::string_view word);

}  // namespace ravel
