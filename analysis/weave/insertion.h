// SPDX-License-Identifier: Apache-2.0
// Insertion: where a statement can go for a point that was found. A comment's action goes where the comment is, if a
// statement can go there, otherwise before the enclosing statement. The action of a line, call or access goes before or
// after its statement. Used by the weaver; the tree must be alive.
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
  value,      // around the value of a return or switch
};

// The bytes [begin, end) that the action goes before or after; for a comment both are the place itself.
struct Insertion {
  InsertionForm form = InsertionForm::statement;
  unsigned begin = 0;
  unsigned end = 0;
  bool after = false;
};

// False: no statement can go there, and `problem` says why.
bool place(const ParsedFile& file, const FoundPoint& point, bool after, Insertion& insertion, Problem& problem);

}  // namespace ravel
