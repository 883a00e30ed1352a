// SPDX-License-Identifier: Apache-2.0
// Where a statement may stand for a point that was found. A comment's action comes where the comment is, when a
// statement can stand there, and otherwise before the statement around it; the action of a line, call or access comes
// before that statement, or behind it. Used by the weaver; the tree must be alive.
#pragma once

#include "analysis/points/parsed_file.h"
#include "analysis/points/point.h"
#include "analysis/points/point_finder.h"

namespace ravel {

enum class InsertionForm {
  statement,  // between the statements of a block
  block,      // around a body without braces, which gets them
  condition,  // around the condition of a loop or an if: evaluated every time
  step,       // around the third part of a for
  value,      // around the value that a return or switch looks at
};

// The bytes [begin, end) that the action comes before or behind; for a comment both are the place itself.
struct Insertion {
  InsertionForm form = InsertionForm::statement;
  unsigned begin = 0;
  unsigned end = 0;
  bool after = false;
};

// False: no statement can stand there, and `problem` says why.
bool place(const ParsedFile& file, const FoundPoint& point, bool after, Insertion& insertion, Problem& problem);

}  // namespace ravel
