// SPDX-License-Identifier: Apache-2.0
// NamedPlace: from a line and column of the debug information back to the name of a point: the shortest unique scope,
// and the n-th call or access in it. Locating that name finds the same place again. Used by the analyzer while the tree
// is alive. Thread safety: none.
#pragma once

#include <string>

#include "analysis/points/point_finder.h"

namespace ravel {

// What ran at a place.
struct PlaceToName {
  unsigned line = 0;
  unsigned column = 0;  // 0: not known
  bool is_call = false;
  std::string hint;  // what was called or accessed there; empty: not known
};

// First and last byte.
struct SourceSpan {
  unsigned begin_line = 0;
  unsigned begin_column = 0;
  unsigned end_line = 0;
  unsigned end_column = 0;
};

struct NamedPlace {
  bool found = false;
  PointName point;
  bool before = false;  // an action can go there
  bool after = false;   // and after it
  unsigned line = 0;    // of the name
  unsigned column = 0;
  std::string function;
  // The statement, or the part of one, that actions go before and after.
  SourceSpan before_span;
  SourceSpan after_span;
};

// Not found: nothing at the place has a name that an action can be attached to (a closing brace, a macro).
NamedPlace name_place(const ParsedFile& file, const PointFinder& finder, const PlaceToName& wanted);

}  // namespace ravel
