// SPDX-License-Identifier: Apache-2.0
#include "analysis/points/statement_lines.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>

namespace ravel {
namespace {

using clang::Stmt;

// Its parts are statements, or expressions that are evaluated by themselves.
bool has_parts(const Stmt* statement) {
  return llvm::isa<clang::CompoundStmt, clang::IfStmt, clang::WhileStmt, clang::DoStmt, clang::ForStmt,
                   clang::CXXForRangeStmt, clang::SwitchStmt, clang::SwitchCase, clang::LabelStmt,
                   clang::AttributedStmt, clang::CXXTryStmt, clang::CXXCatchStmt>(statement);
}

class LineSearch {
 public:
  LineSearch(const ParsedFile& file, unsigned offset, bool of_comment)
      : file_(file), offset_(offset), of_comment_(of_comment), found_{file.line(offset), file.line(offset)} {}

  StatementLines lines_in(const clang::FunctionDecl& function) {
    if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&function)) {
      for (const clang::CXXCtorInitializer* initializer : constructor->inits()) {
        if (!initializer->isWritten()) continue;
        unsigned begin = 0;
        unsigned end = 0;
        const clang::SourceRange range = initializer->getSourceRange();
        if (file_.begins_here(range.getBegin(), begin) && file_.ends_here(range.getEnd(), end) && begin <= offset_ &&
            offset_ < end) {
          take(begin, end);
        }
      }
    }
    if (function.getBody() != nullptr) descend(function.getBody());
    return found_;
  }

 private:
  void take(unsigned begin, unsigned end) {
    found_ = {file_.line(of_comment_ ? offset_ : begin), file_.line(end == 0 ? 0 : end - 1)};
    found_.first = std::min(found_.first, file_.line(offset_));
    found_.last = std::max(found_.last, file_.line(offset_));
  }

  bool range_of(const Stmt* statement, unsigned& begin, unsigned& end) const {
    return statement != nullptr && file_.begins_here(statement->getBeginLoc(), begin) &&
           file_.ends_here(statement->getEndLoc(), end);
  }

  void descend(const Stmt* statement) {
    const bool parts = has_parts(statement);
    unsigned next_begin = ~0U;
    unsigned next_end = 0;
    for (const Stmt* child : statement->children()) {
      unsigned begin = 0;
      unsigned end = 0;
      if (!range_of(child, begin, end)) continue;
      if (begin <= offset_ && offset_ < end) {
        if (parts && !has_parts(child)) take(begin, end);
        descend(child);
        return;
      }
      if (begin > offset_ && begin < next_begin) {
        next_begin = begin;
        next_end = end;
      }
    }
    if (parts && of_comment_ && next_begin != ~0U) take(next_begin, next_end);
  }

  const ParsedFile& file_;
  unsigned offset_;
  bool of_comment_;
  StatementLines found_;
};

}  // namespace

StatementLines statement_lines(const ParsedFile& file, const FoundPoint& point) {
  return LineSearch(file, point.offset, point.kind == PointKind::comment).lines_in(*point.function->function);
}

}  // namespace ravel
