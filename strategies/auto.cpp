// SPDX-License-Identifier: Apache-2.0
// auto: a planner only. The first execution is sequential: it shows the program at rest and measures its length. After
// it random, pct and pos take turns, each as its own planner would plan it. docs/strategies/auto.md.
#ifndef RAVEL_IN_TARGET
#include "strategies/halves.h"

namespace ravel {
namespace {

class AutoPlanner final : public Planner {
 public:
  explicit AutoPlanner(std::uint64_t seed)
      : sequential_(make_sequential_planner(seed)),
        members_{make_random_planner(seed), make_pct_planner(seed), make_pos_planner(seed)} {}

  PlannedExecution next(std::uint64_t execution) override {
    if (execution == 0) return sequential_->next(0);
    const std::uint64_t turn = execution - 1;
    return members_[turn % kMembers]->next(turn / kMembers);
  }

  // Everybody learns from every execution: the length of the program does not depend on who ran it.
  void learn(const PlannedExecution& planned, const ExecutionView& view) override {
    for (const auto& member : members_) member->learn(planned, view);
  }

 private:
  static constexpr std::uint64_t kMembers = 3;
  std::unique_ptr<Planner> sequential_;
  std::unique_ptr<Planner> members_[kMembers];
};

}  // namespace

std::unique_ptr<Planner> make_auto_planner(std::uint64_t seed) { return std::make_unique<AutoPlanner>(seed); }

}  // namespace ravel
#endif
