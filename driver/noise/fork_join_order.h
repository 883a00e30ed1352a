// SPDX-License-Identifier: Apache-2.0
// ForkJoinOrder: which parts of the threads of one run could not have run at the same time, whatever the schedule: what
// a thread did before it created another comes before everything that one does, and what a thread did comes before
// whatever follows its join. A thread is cut into stretches at every creation and join.
//
// Who calls it: Revisits, which adds the creations and joins of each thread in order and asks once all are added.
// Thread safety: none.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/ids.h"

namespace ravel {

class ForkJoinOrder {
 public:
  // Both begin a new stretch of `task`.
  void created(TaskId task, TaskId child);
  void joined(TaskId task, TaskId child);

  std::uint32_t stretch_of(TaskId task) const;

  // Does the stretch of `a` come before the one of `b` in every schedule?
  bool is_before(TaskId a, std::uint32_t stretch_a, TaskId b, std::uint32_t stretch_b);

 private:
  // With more of them there is no order: it only says where noise is worth more.
  static constexpr std::size_t kMostStretches = 2048;

  struct Cut {
    TaskId child;
    bool join;
  };
  // By thread: how many of its stretches come before.
  using Past = std::unordered_map<TaskId, std::uint32_t>;
  struct Thread {
    TaskId creator = kNoTask;
    std::uint32_t created_in = 0;  // stretch of the creator
    std::vector<Cut> cuts;         // stretch i ends with cut i
    std::vector<Past> pasts;       // of the stretches, as far as requested
    bool is_asked = false;         // they are being computed
  };

  const Past& past_of(TaskId task, std::uint32_t stretch);
  static void merge(Past& into, const Past& other);

  std::unordered_map<TaskId, Thread> threads_;
  std::size_t stretches_ = 0;
};

}  // namespace ravel
