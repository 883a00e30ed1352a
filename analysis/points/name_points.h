// SPDX-License-Identifier: Apache-2.0
// NamePoint: a call or access in a function's body. In source order they are what "call 2 of push_back" and "access 1
// of size_" count. Lambdas belong to the enclosing function, local classes do not. Operands that are never evaluated
// (sizeof, decltype) do not count.
#pragma once

#include <clang/AST/Decl.h>

#include <string>
#include <vector>

#include "analysis/points/parsed_file.h"

namespace ravel {

struct NamePoint {
  bool is_call = false;
  std::string name;       // "push_back", "operator==", "new", "size_"
  std::string qualified;  // "std::vector::push_back"; empty when the tree does not know yet (templates)
  unsigned offset = 0;    // of the name's first byte, or of the macro's if it comes from one
  std::string macro;      // the macro whose text it is; empty: it is written in the file
};

std::vector<NamePoint> name_points(const ParsedFile& file, const clang::FunctionDecl& function);

}  // namespace ravel
