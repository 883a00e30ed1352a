// SPDX-License-Identifier: Apache-2.0
// FutureTerms: what `ravel analyze --futures --json` says each shared read can see, as far as the sources tell. With it
// a search asks for those writes only, and can say which of them never ran.
//
// Who calls it: FutureSearch (`--terms`). Thread safety: plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/futures/future_table.h"

namespace ravel {

class FutureTerms {
 public:
  static Result<FutureTerms> load(const std::string& path);

  // May the read see that write (no place: the value before the threads)? Nothing when the sources do not tell of it.
  std::optional<bool> allows(const SourcePlace& read, const std::string& object, const SourcePlace* write) const;

  // Adds the writes that no execution has come to.
  void add_not_reached(FutureTable& table) const;

 private:
  struct Place {
    std::string file;
    std::uint32_t line = 0;
  };
  struct Definition {
    Place place;
    bool initial = false;
  };
  struct Read {
    Place place;
    std::string object;
    std::vector<Definition> definitions;
  };

  static bool is_at(const Place& place, const SourcePlace& seen);
  const Read* find(const SourcePlace& read, const std::string& object) const;

  std::vector<Read> reads_;
};

}  // namespace ravel
