// SPDX-License-Identifier: Apache-2.0
// StatementLines: the lines of the statement that a point means. The statement's machine code has these lines in its
// debug information, so a report about it can be distinguished from one about its neighbours.
//
// For a call or access: the innermost enclosing statement; of an if or a loop only that part of the head. For a line:
// from it to the end of what begins, or otherwise continues, there. For a comment: from it to the end of the next
// statement. Who calls it: the analyzer. The tree must be alive.
#pragma once

#include "analysis/points/parsed_file.h"
#include "analysis/points/point_finder.h"

namespace ravel {

struct StatementLines {
  unsigned first = 0;
  unsigned last = 0;
};

StatementLines statement_lines(const ParsedFile& file, const FoundPoint& point);

}  // namespace ravel
