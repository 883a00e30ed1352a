// SPDX-License-Identifier: Apache-2.0
// write_harness(): the source of a harness for a class: one function for each operation of the listing, one for each
// pool of values, and tables of them. include/ravel/harness.h is the rest.
//
// Who calls it: build_harness. Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "driver/reproduce/class_listing.h"

namespace ravel {

struct HarnessSource {
  std::string text;
  // By operation and by slot: the first and the last line of its function; and of each value, with its pool.
  struct Lines {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  std::vector<Lines> operations;
  std::vector<Lines> slots;
  std::vector<std::vector<Lines>> values;
};

HarnessSource write_harness(const ClassListing& listing, const std::string& includes);

// A line for each header. `c`: they are C, which a C++ compiler has to be told.
std::string include_lines(const std::vector<std::string>& headers, bool c);

// "$name" becomes name with `before` and `after` around it: "slot_name()". "$object" becomes `object`.
std::string with_slots(const std::string& text, const std::string& before, const std::string& after,
                       const std::string& object);

// Names of the slots that the text needs.
std::vector<std::string> slots_in(const std::string& text);

}  // namespace ravel
