// SPDX-License-Identifier: Apache-2.0
#include "analysis/weave/insertion.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/TypeSwitch.h>

namespace ravel {
namespace {

using clang::Stmt;

struct Range {
  unsigned begin = 0;
  unsigned end = 0;
  bool valid = false;
  bool holds(unsigned offset) const { return valid && begin <= offset && offset < end; }
};

// The statement that a statement ends with: "if (a) b();" ends as "b();" does.
const Stmt* last_part(const Stmt* statement) {
  const Stmt* part =
      llvm::TypeSwitch<const Stmt*, const Stmt*>(statement)
          .Case([](const clang::IfStmt* s) { return s->getElse() != nullptr ? s->getElse() : s->getThen(); })
          .Case<clang::WhileStmt, clang::ForStmt, clang::CXXForRangeStmt, clang::SwitchStmt>(
              [](const auto* s) { return s->getBody(); })
          .Case<clang::SwitchCase, clang::LabelStmt, clang::AttributedStmt>(
              [](const auto* s) { return s->getSubStmt(); })
          .Default([](const Stmt*) { return nullptr; });
  return part == nullptr ? statement : last_part(part);
}

Range range_of(const ParsedFile& file, const Stmt* statement) {
  Range range;
  if (statement == nullptr) return range;
  range.valid =
      file.begins_here(statement->getBeginLoc(), range.begin) && file.ends_here(statement->getEndLoc(), range.end);
  if (!range.valid) return range;
  const Stmt* last = last_part(statement);
  if (llvm::isa<clang::CompoundStmt, clang::DeclStmt, clang::NullStmt, clang::CXXTryStmt>(last)) return range;
  // The semicolon is not part of the tree; a macro may have brought its own.
  const auto next =
      clang::Lexer::findNextToken(file.location(range.end - 1), file.sources(), file.context().getLangOpts());
  if (next && next->is(clang::tok::semi)) range.end = file.sources().getFileOffset(next->getLocation()) + 1;
  return range;
}

// The body of the outermost lambda or statement expression within a statement that holds the offset.
class NestedBody : public clang::RecursiveASTVisitor<NestedBody> {
 public:
  NestedBody(const ParsedFile& file, unsigned offset) : file_(file), offset_(offset) {}

  bool VisitLambdaExpr(clang::LambdaExpr* lambda) { return look_at(lambda->getCompoundStmtBody()); }
  bool VisitStmtExpr(clang::StmtExpr* expression) { return look_at(expression->getSubStmt()); }
  bool TraverseCXXRecordDecl(clang::CXXRecordDecl*) { return true; }
  const clang::CompoundStmt* found = nullptr;

 private:
  bool look_at(const clang::CompoundStmt* body) {
    if (body->getLBracLoc().isMacroID()) return true;
    const Range range = range_of(file_, body);
    if (range.holds(offset_) && offset_ > range.begin) found = body;
    return found == nullptr;
  }

  const ParsedFile& file_;
  unsigned offset_;
};

// The first statement of a block that begins on a line.
class FirstOnLine : public clang::RecursiveASTVisitor<FirstOnLine> {
 public:
  FirstOnLine(const ParsedFile& file, unsigned line) : file_(file), line_(line) {}

  bool VisitCompoundStmt(clang::CompoundStmt* block) {
    for (const Stmt* child : block->body()) {
      const Range range = range_of(file_, child);
      if (!range.valid || file_.line(range.begin) != line_) continue;
      if (!found || range.begin < offset) offset = range.begin;
      found = true;
    }
    return true;
  }
  bool TraverseCXXRecordDecl(clang::CXXRecordDecl*) { return true; }
  bool found = false;
  unsigned offset = 0;

 private:
  const ParsedFile& file_;
  unsigned line_;
};

class Placer {
 public:
  Placer(const ParsedFile& file, const FoundPoint& point, bool after, Insertion& insertion, Problem& problem)
      : file_(file),
        function_(*point.function->function),
        kind_(point.kind),
        offset_(point.offset),
        after_(after && point.kind != PointKind::comment),
        insertion_(insertion),
        problem_(problem) {}

  bool place() {
    if (function_.isConstexprSpecified()) {
      return fail("is in the constexpr function " + function_.getNameAsString() + ", which may not wait or notify",
                  "Choose a point in a function that calls it.");
    }
    const Stmt* body = function_.getBody();
    if (body == nullptr) return fail("is in a function without a body", "Choose a point in a function's body.");
    if (body->getBeginLoc().isMacroID()) {
      return fail("is in a function that a macro defines", "Choose a point outside the macro.");
    }
    const Range range = range_of(file_, body);
    if (kind_ == PointKind::line) {
      FirstOnLine first(file_, file_.line(offset_));
      // The visitor takes no const trees; it changes nothing.
      first.TraverseStmt(function_.getBody());
      if (first.found) {
        offset_ = first.offset;
        exact_ = true;
      }
    } else {
      exact_ = kind_ == PointKind::name;
    }
    if (offset_ <= range.begin) return before_body(range);
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(body)) return in_block(*block);
    return in_statement(body, range, true);
  }

 private:
  bool fail(const std::string& message, const std::string& hint) {
    problem_.message = "The point at line " + std::to_string(file_.line(offset_)) + " " + message + ".";
    problem_.hint = hint;
    return false;
  }

  bool put(InsertionForm form, unsigned begin, unsigned end) {
    insertion_ = {form, begin, end, after_};
    return true;
  }

  // A comment between the parameters and the body means the body's beginning, but not among the initialisers of
  // members.
  bool before_body(const Range& body) {
    if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&function_)) {
      for (const clang::CXXCtorInitializer* initializer : constructor->inits()) {
        unsigned begin = 0;
        if (!initializer->isWritten() || !file_.begins_here(initializer->getSourceLocation(), begin)) continue;
        if (exact_ || begin <= offset_) {
          return fail("is among member initialisers, where no statement can go",
                      "Choose a point in the constructor's body or before the object is created.");
        }
      }
    }
    if (exact_) return fail("is before the function's body", "Choose a point in the body.");
    return put(InsertionForm::statement, body.begin + 1, body.begin + 1);
  }

  bool in_block(const clang::CompoundStmt& block, bool of_switch = false) {
    bool first = true;
    for (const Stmt* child : block.body()) {
      const Range range = range_of(file_, child);
      if (!range.valid) continue;
      if (offset_ < range.begin) {
        if (of_switch && first && llvm::isa<clang::SwitchCase>(child)) {
          return fail("is before the first case of a switch, which is never executed", "Move it after a case.");
        }
        return between(range.begin);
      }
      if (offset_ < range.end) return in_statement(child, range, true);
      first = false;
    }
    unsigned closing = 0;
    if (!file_.begins_here(block.getRBracLoc(), closing)) closing = offset_;
    return between(closing);
  }

  // Before the next token of a block. A line may begin within a comment: there the next statement's beginning counts.
  bool between(unsigned next) {
    const unsigned at = kind_ == PointKind::comment ? offset_ : next;
    after_ = false;
    return put(InsertionForm::statement, at, at);
  }

  // What an if, a loop or a case controls.
  bool in_body(const Stmt* body, bool of_switch = false) {
    const Range range = range_of(file_, body);
    if (!range.valid) return fail("is in a body that is defined elsewhere", "Choose another point.");
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(body)) {
      if (offset_ <= range.begin) return between_braces(range);
      if (!block->getLBracLoc().isMacroID()) return in_block(*block, of_switch);
    }
    if (offset_ < range.begin) {
      after_ = false;
      return put(InsertionForm::block, range.begin, range.end);
    }
    return in_statement(body, range, false);
  }

  bool between_braces(const Range& block) {
    after_ = false;
    return put(InsertionForm::statement, block.begin + 1, block.begin + 1);
  }

  bool behind(clang::SourceLocation location) const {
    unsigned offset = 0;
    return file_.begins_here(location, offset) && offset_ > offset;
  }

  // `range` may begin earlier than the statement: at its attributes.
  bool in_statement(const Stmt* s, const Range& range, bool in_block_of) {
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(s)) {
      if (block->getLBracLoc().isMacroID() || offset_ <= range.begin) return whole(s, range, in_block_of);
      return in_block(*block);
    }
    if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(s)) {
      return in_statement(attributed->getSubStmt(), range, in_block_of);
    }
    if (const auto* label = llvm::dyn_cast<clang::SwitchCase>(s)) {
      return in_label(label->getColonLoc(), label->getSubStmt(), in_block_of);
    }
    if (const auto* label = llvm::dyn_cast<clang::LabelStmt>(s)) {
      return in_label(label->getIdentLoc(), label->getSubStmt(), in_block_of);
    }
    // Parts of a statement that comes from a macro have no places of their own.
    if (!s->getBeginLoc().isMacroID()) {
      if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s)) {
        if (branch->getElse() != nullptr && behind(branch->getElseLoc())) return in_body(branch->getElse());
        if (behind(branch->getRParenLoc()) && offset_ < range_of(file_, branch->getThen()).end) {
          return in_body(branch->getThen());
        }
      } else if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(s)) {
        if (behind(loop->getRParenLoc())) return in_body(loop->getBody());
      } else if (const auto* repeat = llvm::dyn_cast<clang::DoStmt>(s)) {
        if (behind(repeat->getDoLoc()) && offset_ < range_of(file_, repeat->getBody()).end)
          return in_body(repeat->getBody());
      } else if (const auto* steps = llvm::dyn_cast<clang::ForStmt>(s)) {
        if (behind(steps->getRParenLoc())) return in_body(steps->getBody());
      } else if (const auto* each = llvm::dyn_cast<clang::CXXForRangeStmt>(s)) {
        if (behind(each->getRParenLoc())) return in_body(each->getBody());
      } else if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(s)) {
        if (behind(choice->getRParenLoc())) return in_body(choice->getBody(), true);
      } else if (const auto* attempt = llvm::dyn_cast<clang::CXXTryStmt>(s)) {
        return in_try(*attempt, range, in_block_of);
      }
    }
    NestedBody nested(file_, offset_);
    nested.TraverseStmt(const_cast<Stmt*>(s));  // NOLINT: the visitor takes no const trees; it changes nothing
    if (nested.found != nullptr) return in_block(*nested.found);
    return whole(s, range, in_block_of);
  }

  // "case 1: f();": what follows the colon is a statement of the enclosing block.
  bool in_label(clang::SourceLocation colon, const Stmt* statement, bool in_block_of) {
    const Range range = range_of(file_, statement);
    if (!behind(colon) && !exact_) {
      return fail("is in a label, where no statement can go", "Move it after the colon.");
    }
    if (exact_ && !behind(colon)) offset_ = range.begin;  // a line that begins with the label means what it labels
    if (offset_ >= range.begin) return in_statement(statement, range, in_block_of);
    if (in_block_of) return between(range.begin);
    after_ = false;
    return put(InsertionForm::block, range.begin, range.end);
  }

  bool in_try(const clang::CXXTryStmt& attempt, const Range& range, bool in_block_of) {
    if (range_of(file_, attempt.getTryBlock()).holds(offset_)) return in_body(attempt.getTryBlock());
    for (unsigned i = 0; i < attempt.getNumHandlers(); ++i) {
      if (range_of(file_, attempt.getHandler(i)->getHandlerBlock()).holds(offset_)) {
        return in_body(attempt.getHandler(i)->getHandlerBlock());
      }
    }
    if (&attempt == function_.getBody()) {
      return fail("is between the blocks of a function-try-block", "Move it into one of them.");
    }
    return whole(&attempt, range, in_block_of);
  }

  // The whole statement, or the part of its head that is evaluated repeatedly.
  bool whole(const Stmt* s, const Range& range, bool in_block_of) {
    const bool by_name = kind_ == PointKind::name && !s->getBeginLoc().isMacroID();
    if (by_name) {
      if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(s)) {
        return around_condition(loop->getCond(), loop->getConditionVariable() != nullptr);
      }
      if (const auto* repeat = llvm::dyn_cast<clang::DoStmt>(s)) return around_condition(repeat->getCond(), false);
      if (const auto* steps = llvm::dyn_cast<clang::ForStmt>(s)) {
        if (range_of_expression(steps->getCond()).holds(offset_)) {
          return around_condition(steps->getCond(), steps->getConditionVariable() != nullptr);
        }
        const Range step = range_of_expression(steps->getInc());
        if (step.holds(offset_)) return put(InsertionForm::step, step.begin, step.end);
      }
    }
    if (!after_) return beside(range, in_block_of);
    return after_whole(s, range, in_block_of, by_name);
  }

  bool beside(const Range& range, bool in_block_of) {
    return put(in_block_of ? InsertionForm::statement : InsertionForm::block, range.begin, range.end);
  }

  bool after_whole(const Stmt* s, const Range& range, bool in_block_of, bool by_name) {
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s); branch != nullptr && by_name) {
      if (branch->isConstexpr())
        return fail("is in a condition that is never evaluated at run time", "Choose a point in a branch.");
      return around_condition(branch->getCond(), branch->getConditionVariable() != nullptr);
    }
    if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(s); choice != nullptr && by_name) {
      return around_value(choice->getCond(), choice->getConditionVariable() == nullptr);
    }
    if (const auto* result = llvm::dyn_cast<clang::ReturnStmt>(s)) {
      const clang::Expr* value = result->getRetValue();
      const bool plain = value != nullptr && !value->isTypeDependent() && value->getType()->isScalarType() &&
                         !function_.getReturnType()->isReferenceType() && !function_.getReturnType()->isDependentType();
      return around_value(value, plain && !s->getBeginLoc().isMacroID());
    }
    if (llvm::isa<clang::CoreturnStmt, clang::GotoStmt, clang::IndirectGotoStmt, clang::BreakStmt, clang::ContinueStmt,
                  clang::CXXThrowExpr>(s)) {
      return cannot_go_after();
    }
    if (const auto* cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(s)) {
      if (llvm::isa<clang::CXXThrowExpr>(cleanups->getSubExpr())) return cannot_go_after();
    }
    if (llvm::isa<clang::ForStmt, clang::CXXForRangeStmt>(s) && by_name) {
      return fail("is in the head of a for, after which no statement can go", "Choose a point in the loop's body.");
    }
    return beside(range, in_block_of);
  }

  bool cannot_go_after() {
    return fail("is in a statement that leaves the function or loop, so nothing comes after it",
                "Put the action before it.");
  }

  bool around_value(const clang::Expr* value, bool possible) {
    const Range range = range_of_expression(value);
    if (!possible || !range.valid) return cannot_go_after();
    return put(InsertionForm::value, range.begin, range.end);
  }

  bool around_condition(const clang::Expr* condition, bool declares) {
    const Range range = range_of_expression(condition);
    if (declares || !range.valid) {
      return fail("is in a condition that declares a variable, where no statement can go",
                  "Choose a point in the body, or declare the variable before the statement.");
    }
    return put(InsertionForm::condition, range.begin, range.end);
  }

  Range range_of_expression(const clang::Expr* expression) const {
    Range range;
    if (expression == nullptr) return range;
    range.valid = file_.begins_here(expression->getBeginLoc(), range.begin) &&
                  file_.ends_here(expression->getEndLoc(), range.end);
    return range;
  }

  const ParsedFile& file_;
  const clang::FunctionDecl& function_;
  PointKind kind_;
  unsigned offset_;
  bool after_;
  bool exact_ = false;  // the offset is that of a token within a statement
  Insertion& insertion_;
  Problem& problem_;
};

}  // namespace

bool place(const ParsedFile& file, const FoundPoint& point, bool after, Insertion& insertion, Problem& problem) {
  return Placer(file, point, after, insertion, problem).place();
}

}  // namespace ravel
