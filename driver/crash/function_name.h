// SPDX-License-Identifier: Apache-2.0
// FunctionName: the name of a C++ function taken apart, as demanglers and debuggers write it: scopes, template
// arguments, parameters, qualifiers. A scanner that knows brackets and operators; any text has an answer.
//
//   void app::Ring<int>::visit<main::{lambda(int)#1}>(int, void (*)(char)) const & [clone .isra.0]
//        ---  ----------  -----                       ------------------- -------
//        part part        part, with one argument     parameters          qualifiers
//
// Who calls it: the readers of crash stacks; crashing_class asks for class and method. Thread safety: a value.
//
// Invariants:
//  1. Linear time. 2. parts is empty only for a text without any name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ravel {

struct NamePart {
  std::string name;                       // "Logger", "operator<<", "{lambda(int)#1}", "(anonymous namespace)"
  std::vector<std::string> arguments;     // of the template
  std::optional<std::string> parameters;  // of a function, where they are given: "int, char const*"
  std::string qualifiers;                 // of a function: "const &"

  bool is_lambda() const;
  bool is_anonymous_namespace() const;

  friend bool operator==(const NamePart&, const NamePart&) = default;
};

struct FunctionName {
  std::vector<NamePart> parts;  // outermost first; the last is the function
  std::string result;           // the return type, where it is given

  // Without arguments and parameters: "app::Ring::visit".
  std::string qualified() const;
  // Whose method it is, or the namespace it is in: the name alone does not tell. With template arguments; empty for
  // neither. Code of a lambda belongs to the function that contains the lambda.
  std::string scope() const;
  // The last part of the name: "visit", "operator<<", "~Ring".
  std::string method() const;
  // The scope can only be a class: a constructor, a const function, a scope with template arguments.
  bool is_surely_method() const;

  friend bool operator==(const FunctionName&, const FunctionName&) = default;

 private:
  std::size_t function_index() const;
};

FunctionName parse_function_name(std::string_view text);

// "app::Ring<int>::Item" -> "app::Ring::Item".
std::string without_arguments(std::string_view name);

}  // namespace ravel
