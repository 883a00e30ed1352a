// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/file_lock_operations.h"

#include "base/check.h"
#include "runtime/interpose/sync_edges.h"

namespace ravel {
namespace {

struct FileLock {
  FILE* file;
  std::uint32_t owner;  // 1 + id, or 0
  std::uint32_t count;
};
constinit FileLock g_file_locks[256] = {};

// The record of this file; a free one is taken for a file seen for the first time.
FileLock& lock_of(FILE* file) {
  FileLock* unused = nullptr;
  for (FileLock& lock : g_file_locks) {
    if (lock.file == file) return lock;
    if (unused == nullptr && lock.owner == 0) unused = &lock;
  }
  RAVEL_CHECK(unused != nullptr, "too many files locked at once by flockfile");
  unused->file = file;
  return *unused;
}

bool may_lock(const void* file, const Task& task) {
  const FileLock& lock = lock_of(static_cast<FILE*>(const_cast<void*>(file)));
  return lock.owner == 0 || lock.owner == task.id + 1;
}

TaskId holder_of(const void* file) {
  const FileLock& lock = lock_of(static_cast<FILE*>(const_cast<void*>(file)));
  return lock.owner == 0 ? kNoTask : lock.owner - 1;
}

void take(FILE* file) {
  FileLock& lock = lock_of(file);
  lock.owner = scheduler().current().id + 1;
  if (lock.count++ == 0) acquire_edge(address_of(file));
  scheduler().changed(address_of(file));
}

}  // namespace

void lock_file(FILE* file, CallSite pc) {
  reach_point(operation_on(OperationKind::mutex_lock, file, pc),
              Wait{address_of(file), &may_lock, file, kNever, false, &holder_of});
  take(file);
}

int try_lock_file(FILE* file, CallSite pc) {
  reach_point(operation_on(OperationKind::mutex_try_lock, file, pc));
  if (!may_lock(file, scheduler().current())) return -1;
  take(file);
  return 0;
}

void unlock_file(FILE* file, CallSite pc) {
  reach_point(operation_on(OperationKind::mutex_unlock, file, pc));
  FileLock& lock = lock_of(file);
  if (lock.owner != scheduler().current().id + 1) return;
  if (--lock.count == 0) {
    lock.owner = 0;
    release_edge_alone(address_of(file));
  }
  scheduler().changed(address_of(file));
}

}  // namespace ravel
