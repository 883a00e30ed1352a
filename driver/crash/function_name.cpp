// SPDX-License-Identifier: Apache-2.0
#include "driver/crash/function_name.h"

#include <algorithm>
#include <utility>

#include "driver/crash/brackets.h"
#include "driver/crash/scan_text.h"

namespace ravel {
namespace {

constexpr std::string_view kOperator = "operator";

class NameScanner {
 public:
  explicit NameScanner(std::string_view text) : text_(text) {}

  FunctionName scan() {
    for (const std::string_view thunk : {"non-virtual thunk to ", "virtual thunk to ", "covariant return thunk to "}) {
      take(text_, thunk);
    }
    while (at_ < text_.size() && !done_) {
      if (part_.name.empty()) {
        begin_part();
      } else {
        continue_part();
      }
    }
    end_part();
    name_.result = std::string(trimmed(text_.substr(0, std::min(begin_, text_.size()))));
    if (name_.parts.empty() && !trimmed(text_).empty()) {
      name_.result.clear();
      name_.parts.emplace_back().name = std::string(trimmed(text_));
    }
    return std::move(name_);
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }

  void end_part() {
    if (!part_.name.empty()) name_.parts.push_back(std::move(part_));
    part_ = NamePart();
  }

  // What came so far was the return type.
  void restart(std::size_t at) {
    name_.parts.clear();
    part_ = NamePart();
    at_ = begin_ = at;
  }

  // Takes everything up to `end` into the name of the part.
  void take_name(std::size_t end) {
    part_.name += text_.substr(at_, end - at_);
    at_ = end;
  }

  void begin_part() {
    const char c = text_[at_];
    if (rest().starts_with("::")) {
      at_ += 2;
    } else if (rest().starts_with("(anonymous ") || c == '{' || c == '<') {
      take_name(behind_bracket(text_, at_));
    } else if (c == '\'' || c == '`') {
      // clang: 'lambda'(int). Microsoft: `anonymous namespace'.
      const std::size_t quote = text_.find('\'', at_ + 1);
      take_name(quote == std::string_view::npos ? text_.size() : quote + 1);
      if (c == '\'' && at_ < text_.size() && text_[at_] == '(') take_name(behind_bracket(text_, at_));
    } else if (c == '(') {
      // "void (*choose(int))(char)": the name is inside.
      restart(std::min(text_.find_first_not_of("(*&", at_), text_.size()));
    } else if (c == '~' || is_name_character(c)) {
      begin_word();
    } else {
      restart(at_ + 1);
    }
  }

  void begin_word() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && is_name_character(text_[end])) ++end;
    take_name(end);
    if (part_.name == kOperator) {
      take_operator();
    } else if (part_.name == "decltype" || part_.name == "noexcept") {
      const std::size_t open = text_.find_first_not_of(' ', at_);
      if (open != std::string_view::npos && text_[open] == '(') at_ = behind_bracket(text_, open);
    }
  }

  // Behind the word `operator`.
  void take_operator() {
    std::size_t symbol = operator_symbol(text_, at_);
    if (symbol > 0) {
      take_name(at_ + symbol);
      // Demanglers separate the brackets: "operator< <int>".
      if (rest().starts_with(" <")) ++at_;
      return;
    }
    if (rest().starts_with("\"\"")) {  // a literal: operator""_km
      std::size_t end = at_ + 2;
      while (end < text_.size() && (text_[end] == ' ' || is_name_character(text_[end]))) ++end;
      take_name(end);
      return;
    }
    if (!rest().starts_with(' ')) return;
    // new, delete, co_await, or a type that is converted to.
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '(') {
      const bool is_array = text_.substr(end).starts_with("[]");
      end = is_array ? end + 2 : text_[end] == '<' ? behind_bracket(text_, end) : end + 1;
      const std::string_view inner = text_.substr(end);
      if (inner.starts_with("(anonymous ")) end = behind_bracket(text_, end);
      if (inner.starts_with("(*)")) end = behind_bracket(text_, std::min(end + 3, text_.size()));
    }
    take_name(end);
    while (part_.name.ends_with(' ')) part_.name.pop_back();
  }

  void continue_part() {
    const char c = text_[at_];
    if (rest().starts_with("::")) {
      end_part();
      at_ += 2;
    } else if (c == '<') {
      const std::size_t end = behind_bracket(text_, at_);
      const std::size_t inner = end - at_ > 1 && text_[end - 1] == '>' ? end - at_ - 2 : end - at_ - 1;
      part_.arguments = at_commas(text_.substr(at_ + 1, inner));
      at_ = end;
    } else if (c == '[') {
      at_ = behind_bracket(text_, at_);
    } else if (c == '(') {
      take_parameters();
    } else if (c == ' ') {
      const std::size_t next = std::min(text_.find_first_not_of(' ', at_), text_.size());
      const std::string_view behind = text_.substr(next);
      if (behind.empty() || behind.starts_with("[abi:") || behind.starts_with("[clone ")) {
        at_ = next;
      } else if (behind.starts_with("(.") || behind.starts_with("[inlined]")) {
        done_ = true;
      } else {
        restart(next);
      }
    } else if (c == '@' || c == '.') {
      // The version of a symbol, or what the compiler made of it: "read@GLIBC_2.2.5", "run.isra.0".
      while (at_ < text_.size() && text_[at_] != ' ' && text_[at_] != '(' && text_[at_] != '[') ++at_;
    } else if (c == ')') {
      done_ = true;
    } else if (c == '*' || c == '&') {
      restart(at_ + 1);
    } else {
      take_name(at_ + 1);
    }
  }

  void take_parameters() {
    const std::size_t end = behind_bracket(text_, at_);
    const std::size_t inner = text_[end - 1] == ')' ? end - at_ - 2 : end - at_ - 1;
    part_.parameters = std::string(trimmed(text_.substr(at_ + 1, end - at_ > 1 ? inner : 0)));
    at_ = end;
    while (at_ < text_.size() && !done_) {
      if (rest().starts_with("::")) return;  // a function around it: "f(int)::{lambda()#1}::operator()()"
      if (!take_qualifier()) done_ = true;
    }
  }

  bool take_qualifier() {
    const std::size_t next = text_.find_first_not_of(' ', at_);
    if (next == std::string_view::npos) return false;
    const std::string_view behind = text_.substr(next);
    if (behind.starts_with('[')) {
      at_ = behind_bracket(text_, next);
      return true;
    }
    if (behind.starts_with("requires ")) {
      add_qualifier(trimmed(behind));
      at_ = text_.size();
      return true;
    }
    for (const std::string_view word : {"const", "volatile", "&&", "&", "noexcept", "restrict", "__restrict"}) {
      if (!behind.starts_with(word)) continue;
      at_ = next + word.size();
      if (is_name_character(word.back()) && at_ < text_.size() && is_name_character(text_[at_])) return false;
      add_qualifier(word);
      if (word == "noexcept" && rest().starts_with('(')) at_ = behind_bracket(text_, at_);
      return true;
    }
    return false;
  }

  void add_qualifier(std::string_view word) {
    if (!part_.qualifiers.empty()) part_.qualifiers += ' ';
    part_.qualifiers += word;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;  // of the name: the return type is before it
  bool done_ = false;
  NamePart part_;
  FunctionName name_;
};

bool has_word(std::string_view words, std::string_view word) {
  return words == word || words.starts_with(std::string(word) + ' ') || words.ends_with(' ' + std::string(word));
}

}  // namespace

bool NamePart::is_lambda() const {
  return name.starts_with("{lambda") || name == "{unnamed}" || name.starts_with("<lambda") ||
         name.starts_with("'lambda") || name.starts_with("$_");
}

bool NamePart::is_anonymous_namespace() const {
  return name == "(anonymous namespace)" || name == "{anonymous}" || name == "`anonymous namespace'" ||
         name == "`anonymous-namespace'";
}

// Of the function in the source that the code belongs to.
std::size_t FunctionName::function_index() const {
  const auto lambda = std::find_if(parts.begin(), parts.end(), [](const NamePart& part) { return part.is_lambda(); });
  if (lambda == parts.end() || lambda == parts.begin()) return parts.empty() ? 0 : parts.size() - 1;
  return static_cast<std::size_t>(lambda - parts.begin()) - 1;
}

std::string FunctionName::qualified() const {
  std::string text;
  for (const NamePart& part : parts) text += (text.empty() ? "" : "::") + part.name;
  return text;
}

std::string FunctionName::scope() const {
  const std::size_t function = function_index();
  if (function == 0 || parts[function - 1].is_anonymous_namespace() || parts[function - 1].is_lambda()) return {};
  std::string text;
  for (std::size_t i = 0; i < function; ++i) {
    const NamePart& part = parts[i];
    text += (text.empty() ? "" : "::") + part.name;
    for (std::size_t k = 0; k < part.arguments.size(); ++k) text += (k == 0 ? "<" : ", ") + part.arguments[k];
    if (!part.arguments.empty()) text += '>';
    if (part.parameters) text += '(' + *part.parameters + ')';
  }
  return text;
}

std::string FunctionName::method() const { return parts.empty() ? std::string() : parts[function_index()].name; }

bool FunctionName::is_surely_method() const {
  const std::size_t index = function_index();
  if (scope().empty()) return false;
  const NamePart& function = parts[index];
  const NamePart& around = parts[index - 1];
  if (!around.arguments.empty() || function.name == around.name || function.name.starts_with('~')) return true;
  for (const std::string_view word : {"const", "volatile", "&", "&&"}) {
    if (has_word(function.qualifiers, word)) return true;
  }
  for (const std::string_view name : {"operator()", "operator[]", "operator->", "operator="}) {
    if (function.name == name) return true;
  }
  const bool converts = function.name.starts_with("operator ") && !function.name.starts_with("operator new") &&
                        !function.name.starts_with("operator delete") && !function.name.starts_with("operator co_");
  return converts;
}

FunctionName parse_function_name(std::string_view text) { return NameScanner(text).scan(); }

std::string without_arguments(std::string_view name) { return parse_function_name(name).qualified(); }

}  // namespace ravel
