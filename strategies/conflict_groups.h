// SPDX-License-Identifier: Apache-2.0
// ConflictGroups: the pending operations, grouped by what they touch. Operations that all read, or all write, the same
// bytes conflict with the same others, so one can stand for all; a step then finds what it conflicts with by looking at
// a few groups instead of all tasks.
//
// Groups are found by the 16-byte granules they touch; the few that touch more than two have their own list. Used by
// choosers inside the target: no allocation; a zeroed object has no groups. Not thread-safe: one task at a time calls
// in.
//
// Invariants:
//  1. Every group has at least one member; there is one group for each (object, size, reads or not) that has any.
//  2. A group is in one chain or two, each of a different bucket.
//  3. Links and buckets are stored plus one, so that zero means none.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "model/operation.h"
#include "strategies/task_table.h"

namespace ravel {

using GroupId = std::uint32_t;

class ConflictGroups {
 public:
  // Clears everything; touches only what was used.
  void clear() {
    if (used_ == 0) return;
    for (std::uint32_t i = 0; i <= kBuckets; ++i) head_[i] = 0;
    for (GroupId i = 0; i < used_; ++i) group_[i] = Group{};
    used_ = 0;
    free_ = 0;
  }

  // Operations that conflict with nothing have no group.
  static bool has_group(const Operation& operation) { return operation_role(operation.kind) != OperationRole::local; }

  // Adds a member to the operation's group.
  GroupId join(const Operation& operation) {
    const Buckets buckets = buckets_of(operation);
    const bool reads = operation_role(operation.kind) == OperationRole::reads;
    for (std::uint32_t link = head_[buckets.bucket[0]]; link != 0;) {
      Group& group = group_[(link - 1) / 2];
      if (group.object == operation.object && group.size == operation.size && group.reads == reads) {
        ++group.members;
        return (link - 1) / 2;
      }
      link = group.next[(link - 1) % 2];
    }
    const GroupId id = take_free();
    Group& group = group_[id];
    group.object = operation.object;
    group.size = operation.size;
    group.reads = reads;
    group.members = 1;
    for (std::uint32_t side = 0; side < buckets.count; ++side) link_in(id, side, buckets.bucket[side]);
    return id;
  }

  // Removes a member; true when it was the last one and the group no longer exists.
  bool leave(GroupId id) {
    Group& group = group_[id];
    if (--group.members != 0) return false;
    unlink(id, 0);
    unlink(id, 1);
    group.next[0] = free_;
    free_ = id + 1;
    return true;
  }

  std::uint32_t members(GroupId id) const { return group_[id].members; }

  // Calls visit(group) once for each group whose members conflict with `operation`. visit may not join or leave.
  template <typename Visit>
  void for_each_conflicting(const Operation& operation, Visit visit) const {
    if (!has_group(operation)) return;
    const Buckets buckets = buckets_of(operation);
    const Touch touch(operation.object, operation.size, operation_role(operation.kind) == OperationRole::reads);
    if (buckets.bucket[0] == kWide) {
      // Touches a lot: rare enough to look at everything.
      for (GroupId id = 0; id < used_; ++id) {
        if (group_[id].members != 0 && touch.conflicts(touch_of(group_[id]))) visit(id);
      }
      return;
    }
    for (std::uint32_t side = 0; side < buckets.count; ++side) {
      visit_chain(buckets.bucket[side], touch, [&](GroupId id, std::uint32_t its_side) {
        // In both of our buckets: already visited from the first.
        if (side == 1 && group_[id].bucket[1 - its_side] == buckets.bucket[0] + 1) return;
        visit(id);
      });
    }
    visit_chain(kWide, touch, [&](GroupId id, std::uint32_t) { visit(id); });
  }

 private:
  static constexpr std::uint32_t kBuckets = 1024;
  static constexpr std::uint32_t kWide = kBuckets;  // the chain of groups that touch more than two granules

  struct Group {
    std::uint64_t object = 0;
    std::uint16_t size = 0;
    bool reads = false;
    std::uint32_t members = 0;
    std::uint32_t next[2] = {};  // (group * 2 + side) + 1; of a free group, next[0] is the next free one + 1
    std::uint32_t previous[2] = {};
    std::uint32_t bucket[2] = {};  // + 1
  };

  struct Buckets {
    std::uint32_t count;
    std::uint32_t bucket[2];
  };

  static Buckets buckets_of(const Operation& operation) {
    const std::uint64_t first = operation.object / 16;
    const std::uint64_t last = (operation.object + (operation.size == 0 ? 0U : operation.size - 1U)) / 16;
    if (last - first > 1) return {1, {kWide, 0}};
    const Buckets buckets{2, {hash(first), hash(last)}};
    return buckets.bucket[0] == buckets.bucket[1] ? Buckets{1, {buckets.bucket[0], 0}} : buckets;
  }

  static std::uint32_t hash(std::uint64_t granule) {
    return static_cast<std::uint32_t>((granule * 0x9e3779b97f4a7c15ULL) >> 54);
  }
  static_assert(kBuckets == 1U << (64 - 54));

  // What conflict() asks of an operation that has a group.
  struct Touch {
    std::uint64_t begin;
    std::uint64_t end;
    bool reads;

    Touch(std::uint64_t object, std::uint16_t size, bool is_read)
        : begin(object), end(object + (size == 0 ? 1 : size)), reads(is_read) {}
    bool conflicts(const Touch& other) const {
      return !(reads && other.reads) && begin < other.end && other.begin < end;
    }
  };
  static Touch touch_of(const Group& group) { return {group.object, group.size, group.reads}; }

  template <typename Visit>
  void visit_chain(std::uint32_t bucket, const Touch& touch, Visit visit) const {
    for (std::uint32_t link = head_[bucket]; link != 0;) {
      const GroupId id = (link - 1) / 2;
      const std::uint32_t side = (link - 1) % 2;
      if (touch.conflicts(touch_of(group_[id]))) visit(id, side);
      link = group_[id].next[side];
    }
  }

  GroupId take_free() {
    if (free_ == 0) return used_++;
    const GroupId id = free_ - 1;
    free_ = group_[id].next[0];
    return id;
  }

  void link_in(GroupId id, std::uint32_t side, std::uint32_t bucket) {
    Group& group = group_[id];
    const std::uint32_t self = id * 2 + side + 1;
    group.next[side] = head_[bucket];
    group.previous[side] = 0;
    group.bucket[side] = bucket + 1;
    if (head_[bucket] != 0) previous_of(head_[bucket]) = self;
    head_[bucket] = self;
  }

  void unlink(GroupId id, std::uint32_t side) {
    Group& group = group_[id];
    if (group.bucket[side] == 0) return;
    if (group.next[side] != 0) previous_of(group.next[side]) = group.previous[side];
    if (group.previous[side] != 0) {
      next_of(group.previous[side]) = group.next[side];
    } else {
      head_[group.bucket[side] - 1] = group.next[side];
    }
    group.bucket[side] = 0;
  }

  std::uint32_t& previous_of(std::uint32_t link) { return group_[(link - 1) / 2].previous[(link - 1) % 2]; }
  std::uint32_t& next_of(std::uint32_t link) { return group_[(link - 1) / 2].next[(link - 1) % 2]; }

  std::uint32_t used_ = 0;  // groups ever taken
  std::uint32_t free_ = 0;  // + 1
  std::uint32_t head_[kBuckets + 1] = {};
  TaskTable<Group> group_;
};

}  // namespace ravel
