// SPDX-License-Identifier: Apache-2.0
#include "analysis/points/name_points.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace ravel {
namespace {

class NameCollector : public clang::RecursiveASTVisitor<NameCollector> {
 public:
  using Base = clang::RecursiveASTVisitor<NameCollector>;

  explicit NameCollector(const ParsedFile& file) : file_(file) {}

  std::vector<NamePoint> take() {
    std::ranges::stable_sort(points_, {}, &NamePoint::offset);
    return std::move(points_);
  }

  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) { return true; }
  bool TraverseDecltypeTypeLoc(clang::DecltypeTypeLoc) { return true; }
  bool TraverseCXXNoexceptExpr(clang::CXXNoexceptExpr*) { return true; }
  bool TraverseCXXRecordDecl(clang::CXXRecordDecl*) { return true; }

  bool VisitCallExpr(clang::CallExpr* call) {
    if (llvm::isa<clang::UserDefinedLiteral>(call)) return true;
    if (auto* by_operator = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call)) {
      called_through_operator(*by_operator);
      return true;
    }
    const clang::Expr* callee = call->getCallee()->IgnoreParenImpCasts();
    callees_.insert(callee);
    add_named(true, *callee);
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr* construct) {
    if (construct->isElidable() || construct->getBeginLoc().isInvalid()) return true;
    const clang::CXXConstructorDecl* constructor = construct->getConstructor();
    // Implicit copies ("return x;", a by-value argument) are not calls in the source.
    if (constructor->isCopyOrMoveConstructor() && construct->getParenOrBraceRange().isInvalid()) return true;
    add(true, constructor->getParent()->getNameAsString(), constructor->getParent()->getQualifiedNameAsString(),
        construct->getLocation());
    return true;
  }

  bool VisitCXXNewExpr(clang::CXXNewExpr* expression) {
    add(true, "new", "new", expression->getBeginLoc());
    return true;
  }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr* expression) {
    add(true, "delete", "delete", expression->getBeginLoc());
    return true;
  }

  // Parents are visited before children, so callees are known by now.
  bool VisitDeclRefExpr(clang::DeclRefExpr* expression) {
    const clang::ValueDecl* declaration = expression->getDecl();
    if (llvm::isa<clang::VarDecl, clang::BindingDecl>(declaration)) access(*expression);
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* expression) {
    if (llvm::isa<clang::FieldDecl, clang::VarDecl, clang::IndirectFieldDecl>(expression->getMemberDecl())) {
      if (expression->getMemberNameInfo().getName()) access(*expression);
    }
    return true;
  }
  bool VisitCXXDependentScopeMemberExpr(clang::CXXDependentScopeMemberExpr* expression) {
    access(*expression);
    return true;
  }

 private:
  void access(const clang::Expr& expression) {
    if (!callees_.contains(&expression)) add_named(false, expression);
  }

  // f(x) where f is an object counts as a call of f; a + b as a call of operator+.
  void called_through_operator(clang::CXXOperatorCallExpr& call) {
    callees_.insert(call.getCallee()->IgnoreParenImpCasts());
    if (call.getOperator() == clang::OO_Call && call.getNumArgs() > 0) {
      const clang::Expr* object = call.getArg(0)->IgnoreParenImpCasts();
      if (add_named(true, *object)) {
        callees_.insert(object);
        return;
      }
    }
    std::string qualified;
    if (const clang::FunctionDecl* function = call.getDirectCallee()) qualified = function->getQualifiedNameAsString();
    add(true, std::string("operator") + clang::getOperatorSpelling(call.getOperator()), qualified,
        call.getOperatorLoc());
  }

  bool add_named(bool is_call, const clang::Expr& expression) {
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&expression)) {
      return add(is_call, reference->getNameInfo().getAsString(), reference->getDecl()->getQualifiedNameAsString(),
                 reference->getLocation());
    }
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&expression)) {
      return add(is_call, member->getMemberNameInfo().getAsString(),
                 member->getMemberDecl()->getQualifiedNameAsString(), member->getMemberLoc());
    }
    if (const auto* overloads = llvm::dyn_cast<clang::OverloadExpr>(&expression)) {
      return add(is_call, overloads->getName().getAsString(), "", overloads->getNameLoc());
    }
    if (const auto* member = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(&expression)) {
      return add(is_call, member->getMember().getAsString(), "", member->getMemberLoc());
    }
    if (const auto* reference = llvm::dyn_cast<clang::DependentScopeDeclRefExpr>(&expression)) {
      return add(is_call, reference->getDeclName().getAsString(), "", reference->getLocation());
    }
    return false;
  }

  bool add(bool is_call, std::string name, std::string qualified, clang::SourceLocation location) {
    if (location.isInvalid() || name.empty()) return false;
    NamePoint point{is_call, std::move(name), std::move(qualified), 0, ""};
    clang::SourceManager& sources = file_.sources();
    clang::SourceLocation written = location;
    while (sources.isMacroArgExpansion(written)) written = sources.getImmediateSpellingLoc(written);
    if (written.isMacroID()) {
      point.macro = clang::Lexer::getImmediateMacroName(written, sources, file_.context().getLangOpts()).str();
      written = sources.getExpansionLoc(written);
    }
    if (!file_.begins_here(written, point.offset)) return false;
    if (!seen_.insert({point.offset, is_call, point.name}).second) return true;
    points_.push_back(std::move(point));
    return true;
  }

  const ParsedFile& file_;
  std::vector<NamePoint> points_;
  std::set<const clang::Expr*> callees_;
  std::set<std::tuple<unsigned, bool, std::string>> seen_;  // a macro's argument may be used twice
};

}  // namespace

std::vector<NamePoint> name_points(const ParsedFile& file, const clang::FunctionDecl& function) {
  NameCollector collector(file);
  // The visitor takes no const trees; it changes nothing.
  auto* body = function.getBody();
  if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&function)) {
    for (clang::CXXCtorInitializer* initializer : constructor->inits()) {
      if (initializer->isWritten()) collector.TraverseConstructorInitializer(initializer);
    }
  }
  if (body != nullptr) collector.TraverseStmt(body);
  return collector.take();
}

}  // namespace ravel
