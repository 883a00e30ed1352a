// SPDX-License-Identifier: Apache-2.0
#include "analysis/futures/loop_shape.h"

#include <clang/AST/RecursiveASTVisitor.h>

#include <algorithm>

#include "analysis/futures/library_names.h"

namespace ravel {
namespace {

bool names(const clang::Expr* expression, const clang::VarDecl* variable) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return name != nullptr && name->getDecl() == variable;
}

// Any use of the variable that is no plain read.
struct Changes : clang::RecursiveASTVisitor<Changes> {
  explicit Changes(const clang::VarDecl* searched) : variable(searched) {}
  const clang::VarDecl* variable;
  int uses = 0;
  int reads = 0;
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) {
    uses += name->getDecl() == variable ? 1 : 0;
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) {
    if (cast->getCastKind() == clang::CK_LValueToRValue && names(cast->getSubExpr(), variable)) ++reads;
    return true;
  }
  // A copy in a lambda is a read.
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) {
    for (const clang::LambdaCapture& capture : lambda->captures()) {
      if (capture.capturesVariable() && capture.getCapturedVar() == variable && capture.getCaptureKind() == clang::LCK_ByRef) {
        ++uses;
      }
    }
    return true;
  }
};

struct Leaving : clang::RecursiveASTVisitor<Leaving> {
  bool found = false;
  bool VisitBreakStmt(clang::BreakStmt*) { return !(found = true); }
  bool VisitGotoStmt(clang::GotoStmt*) { return !(found = true); }
  bool VisitContinueStmt(clang::ContinueStmt*) { return !(found = true); }
  bool VisitReturnStmt(clang::ReturnStmt*) { return !(found = true); }
  bool VisitCXXThrowExpr(clang::CXXThrowExpr*) { return !(found = true); }
  bool TraverseLambdaExpr(clang::LambdaExpr*) { return true; }
};

}  // namespace

CountedLoop counted_loop(const clang::ForStmt& loop, const ExpressionReader& expressions) {
  CountedLoop result;
  const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop.getInit());
  if (declared == nullptr || !declared->isSingleDecl()) return result;
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl());
  if (variable == nullptr || variable->getInit() == nullptr) return result;
  const auto first = expressions.constant(variable->getInit());
  if (!first) return result;
  const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop.getInc());
  if (step == nullptr || !step->isIncrementOp() || !names(step->getSubExpr(), variable)) return result;
  const auto* condition = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getCond());
  if (condition == nullptr || !names(condition->getLHS(), variable)) return result;
  const clang::BinaryOperatorKind how = condition->getOpcode();
  if (how != clang::BO_LT && how != clang::BO_LE && how != clang::BO_NE) return result;
  Changes changes(variable);
  changes.TraverseStmt(const_cast<clang::Stmt*>(loop.getBody()));  // NOLINT: visitors take it so
  if (changes.uses != changes.reads) return result;
  result.variable = variable;
  result.first = *first;
  if (const auto last = expressions.constant(condition->getRHS())) {
    result.counted = true;
    result.trips = *last - *first + (how == clang::BO_LE ? 1 : 0);
  } else if (how != clang::BO_LE) {
    const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(condition->getRHS()->IgnoreParenImpCasts());
    if (call != nullptr && call->getMethodDecl() != nullptr && call->getMethodDecl()->getNameAsString() == "size") {
      result.size_of = call->getImplicitObjectArgument();
    }
  }
  return result;
}

bool leaves(const clang::Stmt* body) {
  Leaving leaving;
  leaving.TraverseStmt(const_cast<clang::Stmt*>(body));  // NOLINT: visitors take it so
  return leaving.found;
}

const clang::Expr* joined_in(const clang::Stmt* body) {
  if (body == nullptr) return nullptr;
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(body)) {
    for (const clang::Stmt* statement : block->body()) {
      if (const clang::Expr* joined = joined_in(statement)) return joined;
    }
    return nullptr;
  }
  if (const auto* guarded = llvm::dyn_cast<clang::IfStmt>(body)) {
    const auto* asked = llvm::dyn_cast<clang::CXXMemberCallExpr>(guarded->getCond()->IgnoreParenImpCasts());
    if (asked == nullptr || asked->getMethodDecl() == nullptr || asked->getMethodDecl()->getNameAsString() != "joinable") {
      return nullptr;
    }
    return joined_in(guarded->getThen());
  }
  const auto* expression = llvm::dyn_cast<clang::Expr>(body);
  if (expression == nullptr) return nullptr;
  expression = ExpressionReader::strip(expression);
  if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(expression)) {
    const clang::Expr* object = method->getImplicitObjectArgument();
    const std::string library = library_class(ExpressionReader::strip(object)->getType());
    const std::string name = method->getMethodDecl() == nullptr ? "" : method->getMethodDecl()->getNameAsString();
    if ((is_thread(library) && name == "join") || (is_future(library) && (name == "get" || name == "wait"))) return object;
    return nullptr;
  }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(expression);
  if (call == nullptr || call->getDirectCallee() == nullptr || call->getNumArgs() != 2) return nullptr;
  return call->getDirectCallee()->getNameAsString() == "pthread_join" ? call->getArg(0) : nullptr;
}

bool memory_order_is(const clang::Expr* order, const ExpressionReader& expressions, std::initializer_list<long> orders) {
  const auto number = expressions.constant(order);
  // An order that is not known may be the weakest.
  return !number || std::find(orders.begin(), orders.end(), *number) != orders.end();
}

bool event_writes_expected(const std::string& method) {
  return llvm::StringRef(method).starts_with("compare_exchange");
}

}  // namespace ravel
