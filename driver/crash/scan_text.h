// SPDX-License-Identifier: Apache-2.0
// Small steps of the readers of crash stacks: blanks, numbers, brackets at the end of a line. Each looks at its text
// once. Who calls it: everything in this folder. Thread safety: pure functions.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace ravel {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
// Of an identifier. Bytes above ASCII are parts of UTF-8 letters.
constexpr bool is_name_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c < 0;
}

constexpr std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// Takes the words from the front of the text, if they are there.
constexpr bool take(std::string_view& text, std::string_view words) {
  if (!text.starts_with(words)) return false;
  text.remove_prefix(words.size());
  return true;
}

// Takes a number from the front. Nothing is taken when there is none or it is too large.
template <typename Number = std::uint32_t>
std::optional<Number> take_number(std::string_view& text, int base = 10) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || text.starts_with('-')) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// Takes "0x55d0c0ffee" from the front.
inline std::optional<std::uint64_t> take_address(std::string_view& text) {
  if (!text.starts_with("0x") && !text.starts_with("0X")) return std::nullopt;
  std::string_view digits = text.substr(2);
  const auto address = take_number<std::uint64_t>(digits, 16);
  if (address) text = digits;
  return address;
}

// The whole text as a number.
template <typename Number = std::uint32_t>
std::optional<Number> number_of(std::string_view text, int base = 10) {
  const auto number = take_number<Number>(text, base);
  return text.empty() ? number : std::nullopt;
}
inline std::optional<std::uint64_t> address_of(std::string_view text) {
  const auto address = take_address(text);
  return text.empty() ? address : std::nullopt;
}

// "file.cpp:12:5" or "file.cpp:12" from its end.
struct TextPlace {
  std::string_view file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};
inline std::optional<TextPlace> text_place(std::string_view text) {
  std::uint32_t numbers[2] = {0, 0};
  unsigned count = 0;
  while (count < 2) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0) break;
    const auto number = number_of(text.substr(colon + 1));
    if (!number) break;
    numbers[count++] = *number;
    text = text.substr(0, colon);
  }
  if (count == 0 || numbers[count - 1] == 0) return std::nullopt;
  return TextPlace{text, numbers[count - 1], count == 2 ? numbers[0] : 0};
}

// Takes "(...)" from the end of the text, with the blank before it. The inner brackets have to be balanced; nullopt,
// and nothing taken, otherwise. What is between the brackets is returned.
inline std::optional<std::string_view> take_last_group(std::string_view& text) {
  if (!text.ends_with(')')) return std::nullopt;
  std::size_t depth = 0;
  for (std::size_t at = text.size(); at-- > 0;) {
    if (text[at] == ')') ++depth;
    if (text[at] != '(' || --depth > 0) continue;
    if (at > 0 && text[at - 1] != ' ') return std::nullopt;
    const std::string_view inner = text.substr(at + 1, text.size() - at - 2);
    text = trimmed(text.substr(0, at));
    return inner;
  }
  return std::nullopt;
}

}  // namespace ravel
