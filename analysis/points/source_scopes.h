// SPDX-License-Identifier: Apache-2.0
// SourceScopes: the functions and classes that a file defines, with their names and extents. Built once per parse, used
// by the finder. Templates appear as written, never as instantiated; a lambda is part of the enclosing function.
#pragma once

#include <clang/AST/Decl.h>

#include <string>
#include <vector>

#include "analysis/points/parsed_file.h"
#include "analysis/points/scope_name.h"

namespace ravel {

struct FunctionScope {
  const clang::FunctionDecl* function = nullptr;
  std::vector<NamePart> path;
  std::vector<std::string> parameters;  // types without spaces
  std::string name;                     // "ns::List::add"
  std::string signature;                // "ns::List::add(int)"
  unsigned begin = 0;                   // of the definition
  unsigned end = 0;
};

struct ClassScope {
  std::vector<NamePart> path;
  unsigned begin = 0;
  unsigned end = 0;
};

// Whether the function, or a class around it, has that name; parameters are ignored.
bool has_name(const clang::FunctionDecl& function, const ScopeName& scope);

class SourceScopes {
 public:
  explicit SourceScopes(ParsedFile& file);

  const std::vector<FunctionScope>& functions() const { return functions_; }
  // The innermost function around an offset; null outside of all.
  const FunctionScope* function_at(unsigned offset) const;
  // Functions of that name, or methods of a class of that name. With a parameter list, only those that have it.
  std::vector<const FunctionScope*> functions_named(const ScopeName& scope) const;
  // Whether the offset lies in a class of that name (outside of its methods too).
  bool in_class_named(const ScopeName& scope, unsigned offset) const;

 private:
  std::vector<FunctionScope> functions_;
  std::vector<ClassScope> classes_;
};

}  // namespace ravel
