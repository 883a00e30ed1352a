// SPDX-License-Identifier: Apache-2.0
#include "driver/crash/brackets.h"

#include "driver/crash/scan_text.h"

namespace ravel {

std::size_t operator_symbol(std::string_view text, std::size_t at) {
  // Longer ones before those they begin with.
  static constexpr std::string_view kSymbols[] = {
      "<=>", "<<=", ">>=", "->*", "()", "[]", "->", "<<", ">>", "<=", ">=", "==", "!=",
      "&&",  "||",  "++",  "--",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<",
      ">",   "=",   "!",   "~",   "+",  "-",  "*",  "/",  "%",  "&",  "|",  "^",  ","};
  for (const std::string_view symbol : kSymbols) {
    if (text.substr(at).starts_with(symbol)) return symbol.size();
  }
  return 0;
}

void Brackets::close(char opening) {
  if (counts_[static_cast<unsigned char>(opening)] == 0) return;
  char last = 0;
  while (last != opening) {
    last = open_.back();
    open_.pop_back();
    --counts_[static_cast<unsigned char>(last)];
  }
}

std::size_t Brackets::take(std::string_view text, std::size_t at) {
  constexpr std::string_view kOperator = "operator";
  if (text.substr(at).starts_with(kOperator) && (at == 0 || !is_name_character(text[at - 1]))) {
    return at + kOperator.size() + operator_symbol(text, at + kOperator.size());
  }
  const char c = text[at];
  switch (c) {
    case '<':
    case '(':
    case '[':
    case '{':
      open_ += c;
      ++counts_[static_cast<unsigned char>(c)];
      break;
    case '>':
      if (!open_.empty() && open_.back() == '<' && !(at > 0 && text[at - 1] == '-')) close('<');
      break;
    case ')':
      close('(');
      break;
    case ']':
      close('[');
      break;
    case '}':
      close('{');
      break;
    default:
      break;
  }
  return at + 1;
}

std::size_t behind_bracket(std::string_view text, std::size_t at) {
  Brackets brackets;
  while (at < text.size()) {
    at = brackets.take(text, at);
    if (brackets.outside()) return at;
  }
  return text.size();
}

bool is_lone_bracket(std::string_view text, std::size_t at) {
  if (text[at] != '(' || at == 0 || text[at - 1] != ' ') return false;
  for (const std::string_view inner : {"(anonymous ", "(.", "(*", "(&"}) {
    if (text.substr(at).starts_with(inner)) return false;
  }
  return true;
}

std::vector<std::string> at_commas(std::string_view list) {
  std::vector<std::string> parts;
  if (trimmed(list).empty()) return parts;
  Brackets brackets;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < list.size();) {
    if (list[at] == ',' && brackets.outside()) {
      parts.emplace_back(trimmed(list.substr(begin, at - begin)));
      begin = at + 1;
    }
    at = brackets.take(list, at);
  }
  parts.emplace_back(trimmed(list.substr(begin)));
  return parts;
}

}  // namespace ravel
