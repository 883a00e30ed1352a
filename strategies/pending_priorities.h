// SPDX-License-Identifier: Apache-2.0
// PendingPriorities: the random priorities of partial order sampling. Every pending operation has one, drawn when it
// becomes pending; a step redraws those of all conflicting ones; the chooser asks for the highest enabled one.
//
// With a thousand tasks at one object every step would draw a thousand numbers. But only the highest matters: when a
// large group is redrawn, its members go into a pool, "each uniform below the bound, not looked at yet". Only the
// highest of the pool is drawn (the maximum of n uniform numbers, and who has it) and becomes the pool's spokesman; the
// others are then uniform below its number. The next is drawn when the spokesman is gone. The distribution is the same,
// not an approximation; tests compare it with the plain loop.
//
// Used by choosers inside the target: no allocation; a zeroed object is empty. Not thread-safe: one task at a time
// calls in.
//
// Invariants:
//  1. A task with a pending operation that has a group is disabled, held (its priority is in the tree, it is in its
//     group's list) or pooled (it has no priority in the tree).
//  2. A group that has pooled members has a spokesman, held, whose priority is at least the group's bound.
//  3. The priority of a disabled task counts only if its group was not redrawn since (its epoch is the group's).
#pragma once

#include <bit>
#include <cstdint>

#include "base/ids.h"
#include "base/random.h"
#include "model/operation.h"
#include "strategies/conflict_groups.h"
#include "strategies/priority_tree.h"
#include "strategies/task_table.h"

namespace ravel {

class PendingPriorities {
 public:
  // Clears everything; touches only what was used.
  void clear() {
    tree_.clear();
    groups_.clear();
    for (std::uint32_t i = 0; i < used_tasks_; ++i) {
      task_[i] = Member{};
      state_[i] = GroupState{};
    }
    used_tasks_ = 0;
    pooled_count_ = 0;
  }

  // The task's next operation; replaces the one before.
  void add(const Operation& operation, Random& random) {
    const TaskId task = operation.task;
    if (task >= used_tasks_) used_tasks_ = task + 1;
    remove(task, random);
    tree_.set_priority(task, draw_below(kEnd, random));
    if (!ConflictGroups::has_group(operation)) return;
    const GroupId group = groups_.join(operation);
    if (groups_.members(group) == 1) state_[group] = GroupState{};
    task_[task].group = group + 1;
    task_[task].epoch = state_[group].epoch;
    if (tree_.enabled(task)) hold(task);
  }

  // The task's operation is no longer pending.
  void remove(TaskId task, Random& random) {
    Member& member = task_[task];
    if (member.group == 0) return;
    const GroupId group = member.group - 1;
    if (tree_.enabled(task)) take_out(task);
    member.group = 0;
    if (!groups_.leave(group)) appoint(group, random);
  }

  void set_enabled(TaskId task, bool enabled, Random& random) {
    if (tree_.enabled(task) == enabled) return;
    if (task >= used_tasks_) used_tasks_ = task + 1;
    Member& member = task_[task];
    if (member.group == 0) {
      tree_.set_enabled(task, enabled);
      return;
    }
    const GroupId group = member.group - 1;
    if (enabled) {
      if (member.epoch != state_[group].epoch) tree_.set_priority(task, draw_below(kEnd, random));
      hold(task);
    } else {
      // A pooled member leaves with its own number, which has not been looked at yet.
      if (member.pooled_at != 0) tree_.set_priority(task, draw_below(state_[group].bound, random));
      take_out(task);
      member.epoch = state_[group].epoch;
    }
    tree_.set_enabled(task, enabled);
    if (!enabled) appoint(group, random);
  }

  // Redraws the priority of this task only.
  void redraw(TaskId task, Random& random) { assign(task, draw_below(kEnd, random), random); }

  // Below every number that can be drawn.
  void set_lowest(TaskId task, Random& random) { assign(task, 1, random); }

  // Redraws the priorities of all pending operations that conflict with the one performed.
  void redraw_conflicting(const Operation& operation, Random& random) {
    groups_.for_each_conflicting(operation, [&](GroupId group) { redraw_group(group, random); });
  }

  // The enabled task of highest priority. There must be one.
  TaskId highest() const { return tree_.highest(); }

 private:
  // Numbers drawn lie in [kBegin, kEnd).
  static constexpr std::uint64_t kBegin = std::uint64_t{1} << 32;
  static constexpr std::uint64_t kEnd = std::uint64_t{1} << 63;

  // Smaller groups are drawn one by one.
  static constexpr std::uint32_t kLargeGroup = 16;

  struct Member {
    std::uint32_t group = 0;      // + 1; 0: nothing pending that could conflict
    std::uint32_t epoch = 0;      // of the group when the priority was drawn
    std::uint32_t next = 0;       // + 1; list of the group's held members
    std::uint32_t previous = 0;   // + 1
    std::uint32_t pooled_at = 0;  // + 1; index in pooled_
  };

  struct GroupState {
    std::uint32_t epoch = 0;      // how often it was redrawn
    std::uint32_t held = 0;       // number of held members
    std::uint32_t first = 0;      // + 1; of the list of held members
    std::uint32_t pooled = 0;     // number of pooled members
    std::uint32_t spokesman = 0;  // + 1
    std::uint64_t bound = 0;      // pooled members are uniform in [kBegin, bound)
  };

  // The fraction `unit` / 2^64 of the way from kBegin to bound.
  static std::uint64_t scale(std::uint64_t unit, std::uint64_t bound) {
    __extension__ using Wide = unsigned __int128;
    return kBegin + static_cast<std::uint64_t>((static_cast<Wide>(unit) * (bound - kBegin)) >> 64);
  }

  static std::uint64_t draw_below(std::uint64_t bound, Random& random) { return scale(random.next(), bound); }

  // The largest of `count` uniform 64-bit numbers, bit by bit: of those still tied, about half have the next bit set;
  // if any has, only these stay.
  static std::uint64_t largest_of(std::uint32_t count, Random& random) {
    std::uint64_t largest = 0;
    std::uint64_t bit = std::uint64_t{1} << 63;
    for (; count > 1 && bit != 0; bit >>= 1) {
      std::uint32_t set = 0;
      for (std::uint32_t left = count; left != 0;) {
        const std::uint32_t batch = left < 64 ? left : 64;
        set += static_cast<std::uint32_t>(std::popcount(random.next() >> (64 - batch)));
        left -= batch;
      }
      if (set == 0) continue;
      largest |= bit;
      count = set;
    }
    return bit == 0 ? largest : largest | (random.next() & (bit * 2 - 1));
  }

  void hold(TaskId task) {
    GroupState& group = state_[task_[task].group - 1];
    task_[task].next = group.first;
    task_[task].previous = 0;
    if (group.first != 0) task_[group.first - 1].previous = task + 1;
    group.first = task + 1;
    ++group.held;
  }

  // Removes an enabled member from the list or the pool. May leave the pool without a spokesman.
  void take_out(TaskId task) {
    Member& member = task_[task];
    GroupState& group = state_[member.group - 1];
    if (member.pooled_at != 0) {
      const std::uint16_t last = pooled_[--pooled_count_];
      pooled_[member.pooled_at - 1] = last;
      task_[last].pooled_at = member.pooled_at;
      member.pooled_at = 0;
      --group.pooled;
      return;
    }
    if (member.next != 0) task_[member.next - 1].previous = member.previous;
    if (member.previous != 0) {
      task_[member.previous - 1].next = member.next;
    } else {
      group.first = member.next;
    }
    --group.held;
    if (group.spokesman == task + 1) group.spokesman = 0;
  }

  void assign(TaskId task, std::uint64_t priority, Random& random) {
    const std::uint32_t group = task_[task].group;
    if (group != 0 && tree_.enabled(task)) {
      take_out(task);
      hold(task);
    }
    if (group != 0) task_[task].epoch = state_[group - 1].epoch;
    tree_.set_priority(task, priority);
    if (group != 0) appoint(group - 1, random);
  }

  void redraw_group(GroupId id, Random& random) {
    GroupState& group = state_[id];
    ++group.epoch;
    // A member of the pool is found by trying pooled tasks at random, so the pool has to be a good part of all tasks:
    // above the square root neither that nor drawing one by one takes long.
    const bool large = group.held > kLargeGroup && std::uint64_t{group.held} * group.held > used_tasks_;
    if (group.pooled == 0 && !large) {
      for (std::uint32_t link = group.first; link != 0; link = task_[link - 1].next) {
        tree_.set_priority(link - 1, draw_below(kEnd, random));
        task_[link - 1].epoch = group.epoch;
      }
      return;
    }
    for (std::uint32_t link = group.first; link != 0;) {
      Member& member = task_[link - 1];
      tree_.set_priority(link - 1, 0);
      pooled_[pooled_count_++] = static_cast<std::uint16_t>(link - 1);
      member.pooled_at = pooled_count_;
      link = member.next;
    }
    group.pooled += group.held;
    group.held = 0;
    group.first = 0;
    group.spokesman = 0;
    group.bound = kEnd;
    appoint(id, random);
  }

  // Gives the pool a spokesman when it needs one.
  void appoint(GroupId id, Random& random) {
    GroupState& group = state_[id];
    if (group.pooled == 0 || group.spokesman != 0) return;
    const std::uint64_t priority = scale(largest_of(group.pooled, random), group.bound);
    TaskId task = 0;
    do {
      task = pooled_[random.below(pooled_count_)];
    } while (task_[task].group != id + 1);
    take_out(task);
    hold(task);
    tree_.set_priority(task, priority);
    task_[task].epoch = group.epoch;
    group.spokesman = task + 1;
    group.bound = priority;
  }

  std::uint32_t used_tasks_ = 0;
  std::uint32_t pooled_count_ = 0;
  PriorityTree tree_;
  ConflictGroups groups_;
  TaskTable<Member> task_;
  TaskTable<GroupState> state_;
  TaskTable<std::uint16_t> pooled_;  // pooled tasks of all groups, in no order
};

}  // namespace ravel
