// SPDX-License-Identifier: Apache-2.0
// What a race test says about a place in the source, and what finding it answers. Plain values, passed from the request
// reader to the finder and on to the weaver. A place is named by a comment's number, by a line, or by the n-th call of
// or access to a name; exactly one of the three is set.
#pragma once

#include <string>
#include <vector>

namespace ravel {

struct PointName {
  std::string path;     // ends the path of the file
  std::string scope;    // "List::add", "add(int)", a class, or empty: the whole file
  unsigned number = 0;  // of the comment
  unsigned line = 0;
  std::string call;
  std::string access;
  unsigned nth = 1;
};

// Trouble with one point or action: a sentence and what to do. The origin is where the test says it ("race.txt:4").
struct Problem {
  std::string origin;
  std::string message;
  std::string hint;
};

}  // namespace ravel
