// SPDX-License-Identifier: Apache-2.0
// FutureTerms: what `ravel analyze --futures --json` says each shared read can see, as far as the sources tell. With it
// a search asks for those writes only, says which of them never ran, and whether what was shown is among them.
//
// Who calls it: FutureSearch (`--terms`). Thread safety: plain data.
//
// Invariant: this is the only place that finds what ran in the sources. An access is one of the sources when it lies on
// a line of that statement and the names agree: compilers put the parts of a statement on any of its lines.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "driver/futures/future_table.h"

namespace ravel {

class FutureTerms {
 public:
  static Result<FutureTerms> load(const std::string& path);

  // Is that write a term of the read (no place: the value before the threads)? False for what the sources do not tell
  // of.
  bool has(const SourcePlace& read, const std::string& object, const SourcePlace* write) const;

  // Is every read of the sources a row?
  bool all_reached(const FutureTable& table) const;

  // Adds the writes that no execution has come to, and says of what was shown whether it is a term.
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
    std::string variable;    // that the object is a part of; empty: not known
    bool unset = false;      // perhaps nothing was written before it
    bool own_write = false;  // library code perhaps reads what it has just written
    std::vector<Definition> definitions;
  };

  static bool is_at(const Place& place, const SourcePlace& seen);
  static bool is_of(const Read& read, const std::string& object);
  std::vector<const Read*> find(const SourcePlace& read, const std::string& object) const;

  std::vector<Read> reads_;
};

}  // namespace ravel
