// SPDX-License-Identifier: Apache-2.0
// The lines of the statement that a point means. Machine code that belongs to the statement has these lines in its
// debug information, so a report about it can be told from one about its neighbours.
//
// Of a call or access: the innermost statement around it, of an if or a loop only the part of the head. Of a line: from
// it to the end of what begins on it, or else goes on there. Of a comment: from it to the end of the statement behind
// it. Who calls it: the analyzer. The tree must be alive.
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
