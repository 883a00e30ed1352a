// SPDX-License-Identifier: Apache-2.0
// Constraint: "the read here sees the write there", or does not. The two halves of rff exchange them as words of the
// plan's details.
#pragma once

#include <cstdint>
#include <span>
#ifndef RAVEL_IN_TARGET
#include <vector>
#endif

#include "model/operation.h"

namespace ravel {

inline constexpr std::uint32_t kMaxConstraints = 16;
inline constexpr std::uint32_t kConstraintWords = 8;

// Operations at a code location, optionally narrowed down.
struct EventPattern {
  std::uint64_t pc = 0;          // of a write, 0: the value from before all writes
  std::uint64_t path = 0;        // of the task; 0: any
  std::uint64_t occurrence = 0;  // the n-th of its task at this location, on this object; 0: any

  // n: which occurrence the operation would be.
  constexpr bool fits(const Operation& operation, std::uint64_t its_path, std::uint64_t n) const {
    return operation.pc == pc && (path == 0 || path == its_path) && (occurrence == 0 || occurrence == n);
  }

  friend constexpr bool operator==(const EventPattern&, const EventPattern&) = default;
};

struct Constraint {
  bool negative = false;  // the read must not see the write
  bool late = false;      // the write waits until a task is about to read; otherwise it comes when it comes
  EventPattern read = {};
  EventPattern write = {};
  std::uint64_t object = 0;  // 0: any

  constexpr bool concerns(std::uint64_t its_object) const { return object == 0 || object == its_object; }

  friend constexpr bool operator==(const Constraint&, const Constraint&) = default;
};

// words: kConstraintWords of them.
constexpr Constraint constraint_from_words(std::span<const std::uint64_t> words) {
  return Constraint{(words[0] & 1) != 0,
                    (words[0] & 2) != 0,
                    {words[1], words[2], words[3]},
                    {words[4], words[5], words[6]},
                    words[7]};
}

#ifndef RAVEL_IN_TARGET
using AbstractSchedule = std::vector<Constraint>;

inline std::vector<std::uint64_t> words_from_constraints(const AbstractSchedule& schedule) {
  std::vector<std::uint64_t> words;
  for (const Constraint& rule : schedule) {
    words.insert(words.end(),
                 {(rule.negative ? 1ULL : 0ULL) | (rule.late ? 2ULL : 0ULL), rule.read.pc, rule.read.path,
                  rule.read.occurrence, rule.write.pc, rule.write.path, rule.write.occurrence, rule.object});
  }
  return words;
}

inline AbstractSchedule constraints_from_words(std::span<const std::uint64_t> words) {
  AbstractSchedule schedule;
  for (; words.size() >= kConstraintWords; words = words.subspan(kConstraintWords)) {
    schedule.push_back(constraint_from_words(words));
  }
  return schedule;
}
#endif

}  // namespace ravel
