// SPDX-License-Identifier: Apache-2.0
#include "analysis/weave/action_text.h"

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

namespace ravel {
namespace {

std::string quoted(const std::string& text) {
  static const char* const kDigits = "01234567";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      result += {'\\', kDigits[byte >> 6U], kDigits[(byte >> 3U) & 7U], kDigits[byte & 7U]};
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

}  // namespace

std::string action_text(const Action& action, const std::string& place) {
  const std::string test = quoted(action.test);
  std::string text = "if (::ravel_sync_is_running(" + test + ")";
  if (!action.condition.empty()) text += " && (" + action.condition + ")";
  text += ") { static struct ravel_sync_site ravel_site = {" + test + ", " + quoted(action.event) + ", " +
          quoted(place) + ", " + std::to_string(action.arrival) + ", " + std::to_string(action.task) + ", 0}; ";
  text += action.is_wait ? "::ravel_sync_wait" : "::ravel_sync_notify";
  return text + "(&ravel_site); }";
}

bool is_one_expression(const Action& action, Problem& problem) {
  const std::string& text = action.condition;
  std::string trouble;
  if (text.find('\n') != std::string::npos) trouble = "has more than one line";
  clang::LangOptions language;
  language.CPlusPlus = 1;
  clang::Lexer lexer(clang::SourceLocation(), language, text.c_str(), text.c_str(), text.c_str() + text.size());
  lexer.SetCommentRetentionState(true);
  std::string open;
  clang::Token token;
  for (bool end = false; !end && trouble.empty();) {
    end = lexer.LexFromRawLexer(token);
    const auto closes = [&](char bracket) {
      if (open.empty() || open.back() != bracket) return trouble = "closes a bracket that was not opened", false;
      open.pop_back();
      return true;
    };
    switch (token.getKind()) {
      case clang::tok::l_paren:
        open += '(';
        break;
      case clang::tok::l_square:
        open += '[';
        break;
      case clang::tok::l_brace:
        open += '{';
        break;
      case clang::tok::r_paren:
        closes('(');
        break;
      case clang::tok::r_square:
        closes('[');
        break;
      case clang::tok::r_brace:
        closes('{');
        break;
      case clang::tok::comment:
        trouble = "has a comment";
        break;
      case clang::tok::hash:
        trouble = "has a #";
        break;
      case clang::tok::unknown:
        trouble = "has a quote that is not closed";
        break;
      case clang::tok::semi:
        if (open.find('{') == std::string::npos) trouble = "has a semicolon";
        break;
      default:
        break;
    }
  }
  if (trouble.empty() && !open.empty()) trouble = "has a bracket that is not closed";
  if (trouble.empty()) return true;
  problem.message = "The condition \"" + text + "\" " + trouble + ".";
  problem.hint = "Write one C++ expression after if.";
  return false;
}

}  // namespace ravel
