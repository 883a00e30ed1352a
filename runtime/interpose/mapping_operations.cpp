// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/mapping_operations.h"

#include "runtime/interpose/atomic_operations.h"
#include "runtime/interpose/free_running.h"
#include "runtime/interpose/memory_operations.h"
#include "runtime/interpose/object_lives.h"
#include "runtime/interpose/points.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/resident/residence.h"

namespace ravel {
namespace {

struct Segment {
  std::uint64_t start;  // 0: none
  std::uint64_t bytes;
};

// Those that the program has attached, as far as there is room; for the running task. Executions inherit them.
constinit Segment g_segments[64] = {};

// Mappings are whole pages.
std::uint64_t whole_pages(std::size_t bytes) {
  constexpr std::uint64_t kPage = 4096;
  return (bytes + kPage - 1) & ~(kPage - 1);
}

void changes_hands(std::uint64_t start, std::uint64_t bytes) {
  mappings_may_differ();
  if (bytes == 0) return;
  if (free_running()) return free_allocation(start, bytes);
  if (!under_engine() || !scheduler().controlled()) return;
  objects_gone(start, bytes);
  memory_released(start, bytes);
}

}  // namespace

void mapping_changes(const volatile void* start, std::size_t bytes) {
  changes_hands(address_of(start), whole_pages(bytes));
}

void mapping_moved(const volatile void* from, std::size_t old_bytes, const volatile void* to, std::size_t bytes) {
  const std::uint64_t before = whole_pages(old_bytes);
  const std::uint64_t after = whole_pages(bytes);
  if (from != to) {
    changes_hands(address_of(from), before);
    changes_hands(address_of(to), after);
  } else if (before < after) {
    changes_hands(address_of(to) + before, after - before);
  } else {
    changes_hands(address_of(to) + after, before - after);
  }
}

void mapping_emptied(const volatile void* start, std::size_t bytes) {
  if (under_engine() && scheduler().controlled()) forget_atomics(address_of(start), whole_pages(bytes));
}

void segment_attached(const volatile void* start, std::size_t bytes) {
  mapping_changes(start, bytes);
  if (!under_engine()) return;
  for (Segment& segment : g_segments) {
    if (segment.start != 0 && segment.start != address_of(start)) continue;
    segment = {address_of(start), bytes};
    return;
  }
}

void segment_goes(const volatile void* start) {
  if (!under_engine()) return;
  for (Segment& segment : g_segments) {
    if (segment.start != address_of(start)) continue;
    changes_hands(segment.start, whole_pages(segment.bytes));
    segment = {};
  }
}

}  // namespace ravel
