// SPDX-License-Identifier: Apache-2.0
// WovenFile: the woven copy of a file: its text with actions inserted, no byte changed or moved to another line, after
// a head that includes <ravel/sync.h> and resets file and line (#line) to the user's own.
#pragma once

#include <string>
#include <vector>

#include "analysis/weave/insertion.h"

namespace ravel {

struct PlacedAction {
  Insertion insertion;
  std::string text;
};

struct WovenFile {
  std::string text;  // without the head
  struct Span {
    unsigned begin = 0;
    unsigned end = 0;
  };
  std::vector<Span> actions;  // where the text of each action is

  // Where a byte of the original file is now, and the other way round.
  unsigned moved(unsigned original) const;
  unsigned original(unsigned offset) const;

  struct Inserted {
    unsigned original = 0;  // offset in the user's text
    unsigned length = 0;
  };
  std::vector<Inserted> inserted;  // in the order of the file
};

// Actions at the same place keep the order given.
WovenFile weave(const std::string& text, const std::vector<PlacedAction>& actions);

// What comes before the text in the copy that is compiled.
std::string woven_head(const std::string& path);
// The same for a look at the copy in memory, where no header needs to be found.
std::string checked_head(const std::string& path);

}  // namespace ravel
