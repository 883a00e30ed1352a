// SPDX-License-Identifier: Apache-2.0
// SourceNames: which function, variable or field of the FlowProgram a declaration is, and where it is. Functions and
// globals keep their numbers across translation units; local ones are forgotten with their tree. Used by the readers.
// Thread safety: none.
#pragma once

#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>

#include <map>
#include <string>
#include <unordered_map>

#include "analysis/futures/flow_program.h"

namespace ravel {

class SourceNames {
 public:
  explicit SourceNames(FlowProgram& program) : program_(program) {}

  FlowProgram& program() const { return program_; }
  void begin_unit(clang::ASTContext& context);
  clang::ASTContext& context() const { return *context_; }

  int function(const clang::FunctionDecl& function);
  int variable(const clang::VarDecl& variable);
  static std::string field(const clang::FieldDecl& field);
  int allocation(const clang::Expr& expression);
  int initialiser(const clang::VarDecl& variable);  // a function of its own for a global's dynamic initialisation

  SourcePlace place(clang::SourceLocation location) const;
  SourceLines lines(clang::SourceRange range) const;
  bool is_user(const clang::Decl& declaration) const;  // not of a system header

 private:
  FlowProgram& program_;
  clang::ASTContext* context_ = nullptr;
  std::map<std::string, int> shared_functions_;
  std::map<std::string, int> shared_variables_;
  std::unordered_map<const clang::Decl*, int> functions_;
  std::unordered_map<const clang::Decl*, int> variables_;
  std::unordered_map<const clang::Expr*, int> allocations_;
};

// The name of a class of the standard library without std; empty for all others.
std::string library_class(clang::QualType type);
// Whose end can be waited for: threads and futures.
bool is_thread_like(clang::QualType type);
// Mutexes, threads and the like: not shared variables of the program.
bool is_synchronisation_type(clang::QualType type);
std::string plain_type(clang::QualType type);

}  // namespace ravel
