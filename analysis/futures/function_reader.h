// SPDX-License-Identifier: Apache-2.0
// FunctionReader: turns one function's body into a graph of events, from Clang's control-flow graph. Knows what the
// functions of the standard library and pthreads do. ProgramReader makes one per function. Thread safety: none.
#pragma once

#include <clang/AST/ParentMap.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Analysis/CFG.h>

#include <memory>
#include <unordered_map>

#include "analysis/futures/expression_reader.h"

namespace ravel {

class FunctionReader {
 public:
  FunctionReader(SourceNames& names, int function) : names_(names), expressions_(names), function_(function) {}

  void read(const clang::FunctionDecl& function);
  void read_initialiser(const clang::VarDecl& variable);

 private:
  using Events = std::vector<FlowEvent>;

  void read_body(const clang::Decl* declaration, clang::Stmt* body);
  void prepare(const clang::Stmt* statement, bool in_loop);
  void prepare_initialisers(const clang::CXXConstructorDecl& constructor);
  void prepare_variable(const clang::VarDecl& variable, const clang::Expr& initial);
  void read_block(const clang::CFGBlock& block, FlowBlock& out);
  void read_edges(const clang::CFGBlock& block, FlowBlock& out);
  void element(const clang::CFGElement& element);
  void statement(const clang::Stmt* statement);
  void declaration(const clang::VarDecl& variable);
  void initialise(const clang::VarDecl& variable, const clang::Expr& initialiser);
  bool has_dynamic_initialiser(const clang::VarDecl& variable) const;
  void pass_initialisation(const clang::DeclStmt& declared);
  void initialiser(const clang::CXXCtorInitializer& initialiser);
  void construct(const clang::CXXConstructExpr& construction);
  void destroy(const clang::VarDecl& variable);

  void call(const clang::CallExpr& call);
  bool library_method(const clang::CallExpr& call, const clang::Expr* object, const std::string& library,
                      const std::string& method);
  bool atomic_method(const clang::CallExpr& call, const clang::Expr* object, const std::string& method);
  bool library_function(const clang::CallExpr& call, const std::string& name);
  void plain_call(const clang::CallExpr& call);
  void make_object(const clang::CallExpr& call);
  FlowExprPtr self_object(const clang::CXXRecordDecl& record) const;
  void unseen_call(const clang::CallExpr& call, const clang::FunctionDecl* callee, const clang::Expr* object);
  void create(const clang::Expr& at, const clang::Expr* const* begin, unsigned count, unsigned first);

  // What follows from the condition being true (or false).
  void conclude(const clang::Expr* condition, bool truth, Events& out);
  bool observed(const clang::Expr* expression, FlowExprPtr& place, bool& atomic, bool& ordered);
  long trips(const clang::Stmt* statement, bool& certain) const;
  bool joins_all(const clang::Stmt* loop, FlowEvent& event);

  clang::SourceRange statement_around(const clang::Stmt* part) const;
  SourcePlace place_of(clang::SourceLocation where) const;
  FlowEvent& add(FlowEvent::Kind kind, clang::SourceLocation where, FlowExprPtr place = nullptr);
  void add_read(const clang::Expr* expression, clang::SourceLocation where);
  void add_write(const clang::Expr* target, const clang::Expr* value, clang::SourceLocation where, bool weak = false);

  SourceNames& names_;
  ExpressionReader expressions_;
  int function_;
  Events* events_ = nullptr;
  std::vector<SourceLines> around_;  // where the compiler may place the current element
  // Where a compiler may put what belongs to a function as a whole: initialisers with the constructor, or with the
  // class when no constructor is written; captured variables with the beginning of the lambda.
  std::vector<SourceLines> header_;
  bool in_lambda_ = false;
  std::unique_ptr<clang::ParentMap> parents_;
  bool jumps_ = false;                                           // some loops are not written as loops
  bool straight_ = true;                                         // nothing leaves it before its end
  std::unordered_map<const clang::Expr*, FlowExprPtr> handles_;  // of the threads that an expression starts
  std::unordered_map<const clang::Expr*, FlowExprPtr> targets_;  // what a construction fills
};

}  // namespace ravel
