// SPDX-License-Identifier: Apache-2.0
// Call and Sequence: calls of a harness by numbers: which operation of the listing, and which value of each pool. Plain
// values.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "driver/reproduce/class_listing.h"

namespace ravel {

struct Call {
  unsigned operation = 0;
  std::vector<unsigned> values;

  friend bool operator==(const Call&, const Call&) = default;
  friend auto operator<=>(const Call&,
                          const Call&) = default;  // NOLINT(modernize-use-nullptr): a mistake of clang-tidy
};

using Sequence = std::vector<Call>;

// As a harness reads it (include/ravel/harness.h): "3 1 0;7".
std::string sequence_text(const Sequence& sequence);

// Every combination of values, or where there are too many, as many as show each value several times.
std::vector<Call> possible_calls(const ClassListing& listing, unsigned operation);

// The sequence with one more call.
Sequence extended(const Sequence& sequence, const Call& call);

}  // namespace ravel
