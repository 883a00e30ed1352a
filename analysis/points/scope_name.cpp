// SPDX-License-Identifier: Apache-2.0
#include "analysis/points/scope_name.h"

#include <cctype>

namespace ravel {
namespace {

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Splits at `separator` where no bracket is open.
std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<' || text[i] == '(' || text[i] == '[') ++depth;
    if (text[i] == '>' || text[i] == ')' || text[i] == ']') --depth;
    if (depth == 0 && text.substr(i).starts_with(separator)) {
      parts.push_back(std::move(part));
      part.clear();
      i += separator.size() - 1;
      continue;
    }
    part += text[i];
  }
  parts.push_back(std::move(part));
  return parts;
}

// Where the parameter list begins; "operator()" is a name.
std::size_t parameters_begin(std::string_view text) {
  std::size_t from = 0;
  const std::size_t call = text.find("operator()");
  if (call != std::string_view::npos) from = call + 10;
  return text.find('(', from);
}

}  // namespace

std::string without_spaces(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) result += c;
  }
  return result;
}

std::string without_qualifiers(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("::")) {
      while (!result.empty() && in_word(result.back())) result.pop_back();
      ++i;
      continue;
    }
    result += text[i];
  }
  // "const std::string" without spaces is one word up to the colons: what was cut with it is put back.
  if (text.starts_with("const") && !result.starts_with("const")) result = "const" + result;
  return result;
}

ScopeName read_scope_name(std::string_view text) {
  ScopeName scope;
  const std::size_t open = parameters_begin(text);
  if (open != std::string_view::npos) {
    const std::size_t close = text.rfind(')');
    const std::string inside =
        without_spaces(text.substr(open + 1, close == std::string_view::npos ? close : close - open - 1));
    scope.parameters.emplace();
    if (!inside.empty() && inside != "void") scope.parameters = split(inside, ",");
    scope.is_const = close != std::string_view::npos && text.find("const", close) != std::string_view::npos;
    text = text.substr(0, open);
  }
  // What follows "operator" may hold brackets of its own.
  std::string tail;
  const std::size_t at = text.rfind("operator");
  if (at != std::string_view::npos && (at == 0 || text[at - 1] == ':') && at + 8 < text.size() &&
      !in_word(text[at + 8])) {
    tail = text.substr(at);
    text = text.substr(0, at);
  }
  for (const std::string& piece : split(text, "::")) {
    const std::string plain = without_spaces(piece);
    if (plain.empty()) continue;
    NamePart part;
    const std::size_t angle = plain.find('<');
    part.name = plain.substr(0, angle);
    if (angle != std::string::npos) part.arguments = plain.substr(angle);
    scope.parts.push_back(std::move(part));
  }
  if (!tail.empty()) {
    // "operator bool" keeps its space, "operator ==" does not.
    std::string name = "operator";
    const std::string rest = without_spaces(tail.substr(8));
    if (!rest.empty() && in_word(rest.front())) name += ' ';
    scope.parts.push_back({name + rest, "", false});
  }
  return scope;
}

bool ends_with(const std::vector<NamePart>& full, const std::vector<NamePart>& wanted) {
  if (wanted.empty()) return false;
  auto have = full.rbegin();
  for (auto want = wanted.rbegin(); want != wanted.rend(); ++want) {
    while (have != full.rend() && have->may_be_left && have->name != want->name) ++have;
    if (have == full.rend() || have->name != want->name) return false;
    if (!want->arguments.empty() && want->arguments != have->arguments) return false;
    ++have;
  }
  return true;
}

}  // namespace ravel
