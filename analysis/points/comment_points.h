// SPDX-License-Identifier: Apache-2.0
// CommentPoint: a comment that marks a point: `/* ravel: 3 */`, `// ravel: 3 what happens here`. Comments are found
// among the tokens, so a string that looks like a comment does not count.
#pragma once

#include <string>
#include <vector>

#include "analysis/points/parsed_file.h"

namespace ravel {

struct CommentPoint {
  unsigned number = 0;
  unsigned offset = 0;        // of the comment's first byte
  std::string macro;          // whose definition holds it; empty: none
  bool in_directive = false;  // in a preprocessor line
  bool left_out = false;      // by #if
};

std::vector<CommentPoint> comment_points(const ParsedFile& file, const std::string& prefix);

}  // namespace ravel
