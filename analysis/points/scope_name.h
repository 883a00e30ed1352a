// SPDX-License-Identifier: Apache-2.0
// ScopeName: how a test names a function or class: "add", "List::add", "List<int>::add", "Outer::Inner::add(int, char
// const*) const". It matches if it is a suffix of the full name. Used by source_scopes. Plain values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ravel {

struct NamePart {
  std::string name;
  std::string arguments;     // of a template, without spaces: "<int,T>"; empty: any
  bool may_be_left = false;  // inline namespaces
};

struct ScopeName {
  std::vector<NamePart> parts;
  std::optional<std::vector<std::string>> parameters;  // without spaces
  bool is_const = false;
};

ScopeName read_scope_name(std::string_view text);

std::string without_spaces(std::string_view text);
// "conststd::string&" -> "conststring&": a test may leave out namespaces of parameter types.
std::string without_qualifiers(std::string_view text);

// Whether `full` ends with `wanted`.
bool ends_with(const std::vector<NamePart>& full, const std::vector<NamePart>& wanted);

}  // namespace ravel
