// SPDX-License-Identifier: Apache-2.0
// PS-Interleave: some access of one call must be able to come between accesses of the other. Two calls that hold a
// common lock from the first access to the last run one after the other. The lock history of an access, unlike its lock
// set, forgets a lock that was released before: after that the other call could have run.
#include <algorithm>

#include "driver/reproduce/prunings.h"

namespace ravel {
namespace {

bool have_common(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](std::uint64_t lock) { return std::binary_search(b.begin(), b.end(), lock); });
}

}  // namespace

bool can_interleave(const CallRecord& crashing, const CallRecord& interfering) {
  for (const std::vector<std::uint64_t>& one : crashing.histories) {
    for (const std::vector<std::uint64_t>& other : interfering.histories) {
      if (!have_common(one, other)) return true;
    }
  }
  return false;
}

}  // namespace ravel
