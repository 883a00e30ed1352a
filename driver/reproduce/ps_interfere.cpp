// SPDX-License-Identifier: Apache-2.0
// PS-Interfere: the other call must write something that the crashing method reads.
#include "driver/reproduce/prunings.h"

namespace ravel {
namespace {

// Both ascending.
bool have_common(const std::vector<std::uint64_t>& reads, const std::vector<std::uint64_t>& writes) {
  auto read = reads.begin();
  auto write = writes.begin();
  while (read != reads.end() && write != writes.end()) {
    if (*read == *write) return true;
    if (*read < *write) {
      ++read;
    } else {
      ++write;
    }
  }
  return false;
}

}  // namespace

bool interferes(const CallRecord& crashing, const CallRecord& interfering) {
  return have_common(crashing.reads, interfering.writes);
}

unsigned distance(const Reach& reach, const CallRecord& interfering) {
  if (have_common(reach.reads_at_lines, interfering.spoilt)) return 0;
  if (have_common(reach.reads_at_lines, interfering.writes)) return 1;
  return have_common(reach.reads_in_function, interfering.writes) ? 2 : 3;
}

}  // namespace ravel
