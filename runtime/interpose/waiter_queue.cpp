// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/waiter_queue.h"

#include "runtime/interpose/points.h"

namespace ravel {
namespace {

// Queues of different objects may share a bucket: every walk compares waiting_on.
struct Bucket {
  Task* first = nullptr;
  Task* last = nullptr;
};
constexpr std::uint32_t kBuckets = 1024;
constinit Bucket g_buckets[kBuckets] = {};

Bucket& bucket_of(std::uint64_t object) { return g_buckets[((object >> 2) * 0x9e3779b97f4a7c15ULL) >> 54]; }

Task* from(Task* task, std::uint64_t object) {
  while (task != nullptr && task->primitive.waiting_on != object) task = task->primitive.waiting_next;
  return task;
}

}  // namespace

void enqueue_waiter(std::uint64_t object, Task& task) {
  Bucket& bucket = bucket_of(object);
  PrimitiveState& state = task.primitive;
  state.notified = false;
  state.waiting_on = object;
  state.waiting_next = nullptr;
  state.waiting_previous = bucket.last;
  (bucket.last == nullptr ? bucket.first : bucket.last->primitive.waiting_next) = &task;
  bucket.last = &task;
}

void dequeue_waiter(Task& task) {
  PrimitiveState& state = task.primitive;
  if (state.waiting_on == 0) return;
  Bucket& bucket = bucket_of(state.waiting_on);
  Task* const next = state.waiting_next;
  Task* const previous = state.waiting_previous;
  (previous == nullptr ? bucket.first : previous->primitive.waiting_next) = next;
  (next == nullptr ? bucket.last : next->primitive.waiting_previous) = previous;
  state.waiting_on = 0;
  state.waiting_next = nullptr;
  state.waiting_previous = nullptr;
}

Task* first_waiter(std::uint64_t object) { return from(bucket_of(object).first, object); }

Task* next_waiter(const Task& task) { return from(task.primitive.waiting_next, task.primitive.waiting_on); }

std::uint32_t count_waiters(std::uint64_t object) {
  std::uint32_t count = 0;
  for (Task* task = first_waiter(object); task != nullptr; task = next_waiter(*task)) ++count;
  return count;
}

void notify_waiter(Task& task) {
  dequeue_waiter(task);
  task.primitive.notified = true;
  scheduler().changed(own_key(task));
}

bool notify_one_waiter(std::uint64_t object) {
  const std::uint32_t count = count_waiters(object);
  if (count == 0) return false;
  std::uint32_t chosen = count == 1 ? 0 : scheduler().choose_environment(EnvironmentKind::notify_target, count);
  Task* task = first_waiter(object);
  for (; chosen > 0; --chosen) task = next_waiter(*task);
  notify_waiter(*task);
  return true;
}

std::uint32_t notify_all_waiters(std::uint64_t object) {
  std::uint32_t count = 0;
  while (Task* task = first_waiter(object)) {
    notify_waiter(*task);
    ++count;
  }
  return count;
}

bool waiter_is_notified(const void*, const Task& task) { return task.primitive.notified; }

}  // namespace ravel
