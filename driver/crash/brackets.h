// SPDX-License-Identifier: Apache-2.0
// Brackets: follows the brackets of C++ names from left to right, so that a reader knows what is outside all of them.
// "<" is a bracket unless it belongs to an operator ("operator<", "->") or, in parentheses, to a comparison.
//
// Who calls it: function_name and the readers of frames. Thread safety: a value.
//
// Invariants:
//  1. Every character is taken once and every bracket is closed at most once: linear time for any text.
//  2. A closing bracket without an opening one changes nothing; one that closes an outer bracket closes the inner ones.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ravel {

class Brackets {
 public:
  // Takes the character at `at`, or the whole operator name that begins there. Returns where to go on.
  std::size_t take(std::string_view text, std::size_t at);
  bool outside() const { return open_.empty(); }

 private:
  void close(char opening);

  std::string open_;  // the opening ones, outermost first
  std::array<std::size_t, 128> counts_{};
};

// Behind the bracket that closes the one at `at`; the size of the text when nothing closes it.
std::size_t behind_bracket(std::string_view text, std::size_t at);

// How many characters at `at` are the symbol of an operator: 2 for "<<", "()" and "->"; 0 when there is none.
std::size_t operator_symbol(std::string_view text, std::size_t at);

// Is this a "(" with a blank before it that no name of a function has? Debuggers put one before values.
bool is_lone_bracket(std::string_view text, std::size_t at);

// "int, std::pair<int, char>" in parts, without the blanks around them. Nothing for nothing.
std::vector<std::string> at_commas(std::string_view list);

}  // namespace ravel
