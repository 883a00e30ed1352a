// SPDX-License-Identifier: Apache-2.0
// PlaceNames: the names of source places in a race test. Asks ravel-analyzer, once per file.
//
// Who calls it: pin(). Thread safety: none.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/status.h"
#include "driver/pin/failing_order.h"
#include "driver/process/deadline.h"
#include "driver/race_tests/race_test.h"
#include "driver/sources/compile_commands.h"

namespace ravel {

// First and last byte, as (line, column).
struct LineColumn {
  unsigned line = 0;
  unsigned column = 0;
};
struct SourceRange {
  LineColumn begin;
  LineColumn end;

  // A place whose column is unknown is in the range if its line is.
  bool holds(unsigned line, unsigned column) const;
};

struct PlaceName {
  Point point;
  std::filesystem::path file;
  unsigned line = 0;
  bool before = false;  // an action can go before what is named
  bool after = false;
  SourceRange statement;  // what an action before it precedes
  SourceRange behind;     // what an action after it follows
  std::string function;
};

class PlaceNames {
 public:
  // `commands`: of the sources of the program.
  PlaceNames(const CompileCommands& commands, std::string analyzer, const Deadline& deadline = {})
      : commands_(commands), analyzer_(std::move(analyzer)), deadline_(deadline) {}

  // All places that will be asked for.
  Status look_up(const std::vector<StepPlace>& places);

  // Sets what the analyzer would say about a place.
  void learn(const StepPlace& place, PlaceName name) { names_[key_of(place)] = std::move(name); }

  // nullptr: it has no name at which an action can be placed.
  const PlaceName* find(const StepPlace& place) const;

  // As much of a file's path as a point needs.
  std::string short_path(const std::filesystem::path& file) const;

 private:
  using Key = std::tuple<std::string, unsigned, unsigned, bool, std::string>;
  static Key key_of(const StepPlace& place);
  Status look_up_in(const std::filesystem::path& file, const std::vector<StepPlace>& places);
  const CompileCommands& commands_;
  std::string analyzer_;
  Deadline deadline_;
  std::map<Key, std::optional<PlaceName>> names_;
};

}  // namespace ravel
