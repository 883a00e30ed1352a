// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/waiter_queue.h"

#include "runtime/interpose/points.h"

namespace ravel {
namespace {

// Queues of different objects may share a bucket: every walk compares waiting_on.
using Bucket = IntrusiveList<Task, &Task::waiting>;
constexpr std::uint32_t kBuckets = 1024;
constinit Bucket g_waiters[kBuckets] = {};

Bucket& bucket_of(std::uint64_t object) { return g_waiters[((object >> 2) * 0x9e3779b97f4a7c15ULL) >> 54]; }

Task* from(Task* task, std::uint64_t object) {
  while (task != nullptr && task->primitive.waiting_on != object) task = Bucket::next(*task);
  return task;
}

}  // namespace

void enqueue_waiter(std::uint64_t object, Task& task) {
  task.primitive.notified = false;
  task.primitive.waiting_on = object;
  bucket_of(object).push_back(task);
}

void dequeue_waiter(Task& task) {
  if (!task.waiting.linked()) return;
  bucket_of(task.primitive.waiting_on).remove(task);
  task.primitive.waiting_on = 0;
}

Task* first_waiter(std::uint64_t object) { return from(bucket_of(object).first(), object); }

Task* next_waiter(const Task& task) { return from(Bucket::next(task), task.primitive.waiting_on); }

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
