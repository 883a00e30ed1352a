// SPDX-License-Identifier: Apache-2.0
#include "analysis/futures/loop_shape.h"

#include <algorithm>

#include "analysis/futures/library_names.h"

namespace ravel {
namespace {

bool names(const clang::Expr* expression, const clang::VarDecl* variable) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return name != nullptr && name->getDecl() == variable;
}

// Any use of the variable other than a plain read.
bool changes(const clang::Stmt* body, const clang::VarDecl* variable) {
  int uses = 0;
  int reads = 0;
  const auto bare = [&](const clang::Expr* argument) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(argument->IgnoreParens());
    return name != nullptr && name->getDecl() == variable;
  };
  any_statement(body, [&](const clang::Stmt* statement) {
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(statement)) {
      uses += name->getDecl() == variable ? 1 : 0;
    } else if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(statement)) {
      if (cast->getCastKind() == clang::CK_LValueToRValue && names(cast->getSubExpr(), variable)) ++reads;
    } else if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(statement)) {
      // A copy in a lambda is a read.
      for (const clang::LambdaCapture& capture : lambda->captures()) {
        const bool is = capture.capturesVariable() && capture.getCapturedVar() == variable;
        if (is && capture.getCaptureKind() == clang::LCK_ByRef) ++uses;
      }
    } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(statement)) {
      // What a thread is given is copied.
      const clang::FunctionDecl* callee = call->getDirectCallee();
      if (callee == nullptr || callee->getIdentifier() == nullptr) return false;
      const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
      const bool standard =
          callee->isInStdNamespace() || (method != nullptr && method->getParent()->isInStdNamespace());
      if (!standard || !is_one_of(callee->getName(), {"emplace_back", "async"})) return false;
      for (const clang::Expr* argument : call->arguments()) reads += bare(argument) ? 1 : 0;
    } else if (const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(statement)) {
      if (!is_thread(library_class(construction->getType()))) return false;
      for (const clang::Expr* argument : construction->arguments()) reads += bare(argument) ? 1 : 0;
    }
    return false;
  });
  return uses != reads;
}

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
  if (changes(loop.getBody(), variable)) return result;
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

bool any_statement(const clang::Stmt* body, const std::function<bool(const clang::Stmt*)>& is) {
  if (body == nullptr) return false;
  if (is(body)) return true;
  // A lambda's body is a function of its own; what it copies is not.
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(body)) {
    return std::any_of(lambda->capture_init_begin(), lambda->capture_init_end(),
                       [&](const clang::Expr* initial) { return initial != nullptr && any_statement(initial, is); });
  }
  for (const clang::Stmt* child : body->children()) {
    if (any_statement(child, is)) return true;
  }
  return false;
}

bool jumps(const clang::Stmt* body) {
  return any_statement(body, [](const clang::Stmt* statement) {
    return llvm::isa<clang::GotoStmt>(statement) || llvm::isa<clang::IndirectGotoStmt>(statement);
  });
}

bool leaves_early(const clang::Stmt* body) {
  const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(body);
  const clang::Stmt* last = block == nullptr || block->body_empty() ? nullptr : block->body_back();
  return any_statement(body, [&](const clang::Stmt* statement) {
    return (llvm::isa<clang::ReturnStmt>(statement) && statement != last) ||
           llvm::isa<clang::CXXThrowExpr>(statement) || llvm::isa<clang::CXXTryStmt>(statement);
  });
}

bool leaves(const clang::Stmt* body) {
  return any_statement(body, [](const clang::Stmt* statement) {
    return llvm::isa<clang::BreakStmt>(statement) || llvm::isa<clang::GotoStmt>(statement) ||
           llvm::isa<clang::ContinueStmt>(statement) || llvm::isa<clang::ReturnStmt>(statement) ||
           llvm::isa<clang::CXXThrowExpr>(statement);
  });
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
    if (asked == nullptr || asked->getMethodDecl() == nullptr ||
        asked->getMethodDecl()->getNameAsString() != "joinable") {
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
    if ((is_thread(library) && name == "join") || (is_future(library) && (name == "get" || name == "wait")))
      return object;
    return nullptr;
  }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(expression);
  if (call == nullptr || call->getDirectCallee() == nullptr || call->getNumArgs() != 2) return nullptr;
  return call->getDirectCallee()->getNameAsString() == "pthread_join" ? call->getArg(0) : nullptr;
}

bool memory_order_is(const clang::Expr* order, const ExpressionReader& expressions,
                     std::initializer_list<long> orders) {
  const auto number = expressions.constant(order);
  // An order that is not known may be the weakest.
  return !number || std::find(orders.begin(), orders.end(), *number) != orders.end();
}

bool event_writes_expected(const std::string& method) {
  return llvm::StringRef(method).starts_with("compare_exchange");
}

}  // namespace ravel
