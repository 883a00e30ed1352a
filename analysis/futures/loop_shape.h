// SPDX-License-Identifier: Apache-2.0
// CountedLoop: loops that count, and what they do to threads, as far as their source shows for certain. Pure functions;
// used by FunctionReader.
#pragma once

#include <clang/AST/StmtCXX.h>

#include <functional>
#include <initializer_list>
#include <string>

#include "analysis/futures/expression_reader.h"

namespace ravel {

struct CountedLoop {
  const clang::VarDecl* variable = nullptr;  // counts up by one and is not changed by the body
  long first = 0;
  bool counted = false;                  // the number of rounds is a constant
  long trips = 0;                        // at most, when the body leaves early
  const clang::Expr* size_of = nullptr;  // or the size of this container
};
CountedLoop counted_loop(const clang::ForStmt& loop, const ExpressionReader& expressions);

// Is there such a statement in the body, not counting the bodies of lambdas?
bool any_statement(const clang::Stmt* body, const std::function<bool(const clang::Stmt*)>& is);
// The body has break, continue, goto, return or throw.
bool leaves(const clang::Stmt* body);
// A function's body is left before its end.
bool leaves_early(const clang::Stmt* body);
// The body has a goto, which may make a loop of anything.
bool jumps(const clang::Stmt* body);
// The thread that every round joins, if there is one.
const clang::Expr* joined_in(const clang::Stmt* body);

bool memory_order_is(const clang::Expr* order, const ExpressionReader& expressions, std::initializer_list<long> orders);
bool event_writes_expected(const std::string& method);

}  // namespace ravel
