// SPDX-License-Identifier: Apache-2.0
// FutureTerms: what each shared read can see according to the sources (`ravel analyze --futures --json`). With it a
// search asks only for those writes, says which of them never ran, and whether what was shown is among them.
//
// Who calls it: FutureSearch (`--terms`). Thread safety: plain data.
//
// Invariant: this is the only place that matches what ran with the sources. An access matches when it is on a line of
// the statement and the names agree: compilers put the parts of a statement on any of its lines.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "driver/futures/future_table.h"

namespace ravel {

class FutureTerms {
 public:
  static Result<FutureTerms> load(const std::string& path);

  // Is that write a term of the read (no place: the initial value)? False for anything the sources do not mention.
  bool has(const SourcePlace& read, const std::string& object, const SourcePlace* write) const;

  // Does every read of the sources have a row?
  bool all_reached(const FutureTable& table) const;

  // Adds the writes that no execution has reached, and marks for what was shown whether it is a term.
  void compare(FutureTable& table) const;

 private:
  struct Lines {
    std::string file;  // without directories
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  struct Place {
    std::string file;
    std::uint32_t line = 0;
    std::vector<Lines> lines;
  };
  struct Definition {
    Place place;
    bool perhaps_initial = false;
  };
  struct Read {
    Place place;
    std::string object;
    std::string variable;    // that the object is a part of; empty: unknown
    bool unset = false;      // there may be no write before it
    bool own_write = false;  // library code may read what it has just written
    std::vector<Definition> definitions;
  };

  static bool is_at(const Place& place, const SourcePlace& seen);
  static bool is_of(const Read& read, const std::string& object);
  std::vector<const Read*> find(const SourcePlace& read, const std::string& object) const;

  std::vector<Read> reads_;
};

}  // namespace ravel
