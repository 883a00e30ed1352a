// SPDX-License-Identifier: Apache-2.0
// ExpressionReader: which object an expression of the source names, and what is known of its value. Pure except for the
// numbers that SourceNames assigns. Used by FunctionReader. Thread safety: none.
#pragma once

#include <clang/AST/ExprCXX.h>

#include "analysis/futures/source_names.h"

namespace ravel {

class ExpressionReader {
 public:
  explicit ExpressionReader(SourceNames& names) : names_(names) {}

  FlowExprPtr place(const clang::Expr* expression) const;  // of a glvalue
  FlowExprPtr value(const clang::Expr* expression) const;  // of a pointer, a callable, an integer
  // What a parameter gets: the address of what a reference is bound to, the value otherwise.
  FlowExprPtr argument(const clang::Expr* expression, bool by_reference) const;
  std::vector<FlowExprPtr> arguments(const clang::FunctionDecl& callee, const clang::Expr* const* begin,
                                     unsigned count) const;

  FlowExprPtr variable(const clang::VarDecl& variable) const;
  FlowExprPtr member(FlowExprPtr object, const clang::FieldDecl& field) const;

  static const clang::Expr* strip(const clang::Expr* expression);   // what does not change object or value
  static const clang::Expr* receiver(const clang::CallExpr& call);  // the object of a method; null when there is none
  std::optional<long> constant(const clang::Expr* expression) const;

 private:
  FlowExprPtr call_place(const clang::CallExpr& call) const;
  FlowExprPtr call_value(const clang::CallExpr& call) const;

  SourceNames& names_;
};

FlowExprPtr make_expr(FlowExpr expression);
FlowExprPtr pointee_of(FlowExprPtr value, const std::string& type);
FlowExprPtr address_of(FlowExprPtr place);
FlowExprPtr element_of(FlowExprPtr place, const std::string& index, const std::string& type);

}  // namespace ravel
