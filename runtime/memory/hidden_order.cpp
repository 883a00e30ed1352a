// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/hidden_order.h"

#include "base/check.h"
#include "runtime/memory/raw_pages.h"

namespace ravel {
namespace {

template <typename T>
T* reserve(std::size_t count) {
  auto* const memory = static_cast<T*>(reserve_pages(count * sizeof(T)));
  RAVEL_CHECK(memory != nullptr, "no address space left for the order that is not seen");
  return memory;
}

}  // namespace

void HiddenOrder::prepare(HappensBefore& order) {
  if (order_ != nullptr) return;
  order_ = &order;
  entries_ = reserve<Entry>(kMostEntries);
  newest_ = reserve<Index>(kMaxTasks);
  passed_instruction_ = reserve<bool>(kMaxTasks);
  known_ = reserve<std::uint32_t>(kMaxTasks + 1);
  by_ = reserve<Index>(kMaxTasks);
  followed_ = reserve<Index>(kMaxTasks);
}

void HiddenOrder::pass(TaskId task, std::uint64_t objects, std::uint32_t name) {
  used_ = true;
  const ReleaseClock mine = order_->snapshot(task);
  acquire(task, objects, name);
  for (; objects != 0; objects &= objects - 1) {
    Object& object = objects_[__builtin_ctzll(objects)];
    order_->drop(object.last);
    order_->keep(mine);
    object.last = mine;
    object.acquired_by = task;
  }
  order_->drop(mine);
}

void HiddenOrder::acquire(TaskId task, std::uint64_t objects, std::uint32_t name) {
  ReleaseClock acquired;
  for (; objects != 0; objects &= objects - 1) {
    Object& object = objects_[__builtin_ctzll(objects)];
    // Nobody else has released anything since the task was there.
    if (object.acquired_by == task || !object.last) continue;
    object.acquired_by = task;
    const ReleaseClock all = order_->merge(object.rest, object.last);
    order_->drop(object.rest);
    object.rest = all;
    const ReleaseClock both = order_->merge(acquired, all);
    order_->drop(acquired);
    acquired = both;
  }
  if (acquired) learn(task, name, acquired);
  order_->drop(acquired);
}

void HiddenOrder::pass_instruction(TaskId task, std::uint32_t object) {
  used_ = true;
  passed_instruction_[task] = true;
  for (TaskId other = 0; other < order_->tasks(); ++other) {
    if (other != task && passed_instruction_[other]) learn_past_of(other, task, object);
  }
}

void HiddenOrder::learn_everything(TaskId task) {
  used_ = true;
  for (TaskId other = 0; other < order_->tasks(); ++other) {
    if (other != task) learn_past_of(other, task, kUnseenWrite);
  }
}

void HiddenOrder::learn_past_of(TaskId other, TaskId task, std::uint32_t object) {
  const ReleaseClock past = order_->snapshot(other);
  learn(task, object, past);
  order_->drop(past);
}

void HiddenOrder::learn(TaskId task, std::uint32_t object, const ReleaseClock& clock) {
  const Index older = newest_[task];
  if (entry_count_ + 1 == kMostEntries) {
    // No room: what is learned now counts from the entry before on. That explains more than it should, never less.
    if (older == 0) return;
    Entry& last = entries_[older];
    const ReleaseClock both = order_->merge(last.clock, clock);
    order_->drop(last.clock);
    last.clock = both;
    return;
  }
  const ReleaseClock all = order_->merge(older == 0 ? ReleaseClock{} : entries_[older].clock, clock);
  newest_[task] = ++entry_count_;
  entries_[entry_count_] = {all, order_->now(task).clock(), object, older};
}

void HiddenOrder::look(TaskId task) {
  tasks_ = order_->tasks();
  for (TaskId other = 0; other < tasks_; ++other) {
    known_[other + 1] = order_->known(task, other);
    by_[other] = 0;
    followed_[other] = 0;
  }
  for (bool added = true; added;) {
    added = false;
    for (TaskId other = 0; other < tasks_; ++other) {
      Index index = newest_[other];
      while (index != 0 && entries_[index].epoch > known_[other + 1]) index = entries_[index].older;
      if (index <= followed_[other]) continue;
      followed_[other] = index;
      order_->raise(known_, entries_[index].clock, [&](TaskId raised) { by_[raised] = index; });
      added = true;
    }
  }
}

bool HiddenOrder::knows(Epoch epoch) const {
  return epoch.task() < tasks_ && epoch.clock() <= known_[epoch.task() + 1];
}

std::uint32_t HiddenOrder::known_by(Epoch epoch) const {
  if (!knows(epoch) || by_[epoch.task()] == 0) return kNone;
  Index index = by_[epoch.task()];
  for (Index older = entries_[index].older; older != 0 && order_->before(epoch, entries_[older].clock);) {
    index = older;
    older = entries_[older].older;
  }
  return entries_[index].object;
}

}  // namespace ravel
