// SPDX-License-Identifier: Apache-2.0
// PointFinder: finds the one place in a file that a point name means, or says why there is none: it does not exist
// (with the nearest ones), there are two (with both), or it comes from a macro. Used by the analyzer for each action of
// a request, while the tree is alive. Thread safety: none.
#pragma once

#include <string>
#include <vector>

#include "analysis/points/comment_points.h"
#include "analysis/points/name_points.h"
#include "analysis/points/parsed_file.h"
#include "analysis/points/point.h"
#include "analysis/points/source_scopes.h"

namespace ravel {

enum class PointKind { comment, line, name };

struct FoundPoint {
  PointKind kind = PointKind::comment;
  unsigned offset = 0;  // of the comment, of the line's first non-space character, or of the name
  const FunctionScope* function = nullptr;
};

class PointFinder {
 public:
  PointFinder(ParsedFile& file, std::string path, const std::string& prefix);

  // False: `problem` has its message and hint.
  bool find(const PointName& name, FoundPoint& found, Problem& problem) const;

  const SourceScopes& scopes() const { return scopes_; }

 private:
  bool find_comment(const PointName& name, FoundPoint& found, Problem& problem) const;
  bool find_line(const PointName& name, FoundPoint& found, Problem& problem) const;
  bool find_name(const PointName& name, FoundPoint& found, Problem& problem) const;
  bool no_such_scope(const PointName& name, bool with_comments, Problem& problem) const;
  bool no_such_number(const PointName& name, const std::vector<const CommentPoint*>& in_scope, Problem& problem) const;
  bool no_such_name(const PointName& name, const std::vector<const FunctionScope*>& functions, Problem& problem) const;
  std::string at(unsigned offset) const;  // "list.cpp:42"
  std::string in_function(unsigned offset) const;

  ParsedFile& file_;
  std::string path_;
  std::string prefix_;
  SourceScopes scopes_;
  std::vector<CommentPoint> comments_;
};

}  // namespace ravel
