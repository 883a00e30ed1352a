// SPDX-License-Identifier: Apache-2.0
// Directions: where a run without preemption should deviate. Each names a task and how many steps that task has made by
// then, so removing one does not shift the others, as it would in a list of decisions. A set of directions is the
// details of a `sequential` plan: the driver writes them (shrinking), the chooser looks them up.
//
// Thread safety: plain data; the table is read by one task at a time. No allocation, no libc: it is used in the target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/ids.h"

namespace ravel {

enum class DirectionKind : std::uint8_t {
  go_to,        // value: the task that should continue here
  environment,  // value: the answer to the index-th environment choice of this step
  store,        // value: which store this step's atomic operation reads
};

struct Direction {
  TaskId task = 0;         // the task that made the latest step
  std::uint32_t step = 0;  // how many it has made by then
  DirectionKind kind = DirectionKind::go_to;
  std::uint16_t index = 0;
  std::uint32_t value = 0;

  friend constexpr bool operator==(const Direction&, const Direction&) = default;
  friend constexpr bool operator<(const Direction& a, const Direction& b) {
    if (a.task != b.task) return a.task < b.task;
    if (a.step != b.step) return a.step < b.step;
    if (a.kind != b.kind) return a.kind < b.kind;
    return a.index != b.index ? a.index < b.index : a.value < b.value;
  }
};

inline constexpr std::size_t kWordsPerDirection = 2;

constexpr std::uint64_t direction_place(TaskId task, std::uint32_t step) {
  return (static_cast<std::uint64_t>(task) << 32) | step;
}

constexpr std::uint64_t direction_what(DirectionKind kind, std::uint16_t index) {
  return (static_cast<std::uint64_t>(kind) << 48) | (static_cast<std::uint64_t>(index) << 32);
}

// Two words for each; they must be in ascending order, at most one per place, kind and index.
constexpr void write_direction(const Direction& direction, std::uint64_t (&words)[kWordsPerDirection]) {
  words[0] = direction_place(direction.task, direction.step);
  words[1] = direction_what(direction.kind, direction.index) | direction.value;
}

class DirectionTable {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  constexpr DirectionTable() = default;
  constexpr explicit DirectionTable(std::span<const std::uint64_t> words) : words_(words) {}

  bool empty() const { return words_.size() < kWordsPerDirection; }

  // The value of that direction, or kNone.
  std::uint32_t find(TaskId task, std::uint32_t step, DirectionKind kind, std::uint16_t index) const {
    const std::uint64_t place = direction_place(task, step);
    const std::uint64_t what = direction_what(kind, index);
    std::size_t low = 0;
    std::size_t high = words_.size() / kWordsPerDirection;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      const std::uint64_t at = words_[middle * kWordsPerDirection];
      const std::uint64_t second = words_[middle * kWordsPerDirection + 1];
      const std::uint64_t its_what = second >> 32 << 32;
      if (at == place && its_what == what) return static_cast<std::uint32_t>(second);
      if (at < place || (at == place && its_what < what)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return kNone;
  }

 private:
  std::span<const std::uint64_t> words_;
};

}  // namespace ravel
