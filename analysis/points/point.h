// SPDX-License-Identifier: Apache-2.0
// PointName: what a race test says about a place in the source. Problem: why it could not be found. Plain values,
// passed from the request reader to the finder and the weaver. A point is named by a comment's number, a line, or the
// n-th call of or access to a name; exactly one of the three is set.
#pragma once

#include <string>
#include <vector>

namespace ravel {

struct PointName {
  std::string path;     // a suffix of the file's path
  std::string scope;    // "List::add", "add(int)", a class, or empty: the whole file
  unsigned number = 0;  // of the comment
  unsigned line = 0;
  std::string call;
  std::string access;
  unsigned nth = 1;
};

// A problem with one point or action: a sentence and what to do. The origin is its line in the test ("race.txt:4").
struct Problem {
  std::string origin;
  std::string message;
  std::string hint;
};

}  // namespace ravel
