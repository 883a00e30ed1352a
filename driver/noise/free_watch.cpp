// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/free_watch.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace ravel {
namespace {

template <typename T>
T load(const T& value) {
  T result;
  __atomic_load(&value, &result, __ATOMIC_ACQUIRE);  // not the _n form: clang does not accept enumerations there
  return result;
}

// Ends only through another thread of the program.
bool waits_for_a_thread(OperationKind kind) {
  switch (kind) {
    case OperationKind::task_join:
    case OperationKind::condition_wait:
    case OperationKind::semaphore_wait:
    case OperationKind::barrier_wait:
    case OperationKind::once_begin:
    case OperationKind::guard_acquire:
    case OperationKind::futex_wait:
    case OperationKind::rwlock_queue_writer:
      return true;
    default:
      return waits_for_lock(kind);
  }
}

bool waits_without_limit(const SeenThread& thread) {
  return thread.state == FreeState::blocked && !thread.timed && waits_for_a_thread(thread.kind);
}

bool holds_against(const SeenThread& holder, const SeenThread& waiter) {
  const bool reads = waiter.kind == OperationKind::rwlock_read_lock;
  return std::any_of(holder.held.begin(), holder.held.end(),
                     [&](const SeenLock& lock) { return lock.object == waiter.object && !(reads && lock.shared); });
}

// The threads that a thread waits for, as far as they are known: holders of the lock it wants, or the thread it joins.
std::vector<TaskId> waits_for(const FreeSnapshot& snapshot, const SeenThread& thread) {
  std::vector<TaskId> others;
  if (!waits_without_limit(thread)) return others;
  if (thread.kind == OperationKind::task_join) {
    if (thread.joins != kNoTask && thread.joins < snapshot.threads.size()) others.push_back(thread.joins);
    return others;
  }
  if (!waits_for_lock(thread.kind)) return others;
  for (const SeenThread& other : snapshot.threads) {
    if (other.is_alive() && holds_against(other, thread)) others.push_back(other.task);
  }
  return others;
}

// To the kernel, a spinning thread is running.
bool sleeps(const SeenThread& thread, const KernelView& kernel) {
  return thread.kind == OperationKind::spin_lock || kernel.sleeps(thread.thread);
}

char kernel_state(pid_t process, std::int32_t thread) {
  std::ifstream file("/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) + "/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  return name_end == std::string::npos || name_end + 2 >= line.size() ? '\0' : line[name_end + 2];
}

// Signal handlers that a program may be waiting for. Those of faults only run when something fails; 32 and 33 are
// libc's own.
bool has_handlers(pid_t process) {
  constexpr int kOther[] = {4, 5, 6, 7, 8, 11, 31, 32, 33};
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with("SigCgt:")) continue;
    unsigned long long caught = std::strtoull(line.c_str() + std::strlen("SigCgt:"), nullptr, 16);
    for (const int number : kOther) caught &= ~(1ULL << (number - 1));
    return caught != 0;
  }
  return false;
}

}  // namespace

FreeSnapshot take_snapshot(const FreeRun& run) {
  FreeSnapshot snapshot;
  const std::size_t count = std::min<std::size_t>(load(run.threads), kMaxFreeThreads);
  snapshot.threads.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const FreeThread& from = run.thread[i];
    SeenThread& to = snapshot.threads[i];
    to.task = static_cast<TaskId>(i);
    to.state = load(from.state);
    to.creator = i == 0 ? kNoTask : load(from.creator);
    to.thread = load(from.thread);
    to.events = load(from.events);
    to.site = load(from.site);
    to.create_pc = load(from.create_pc);
    if (to.state == FreeState::blocked) {
      to.kind = load(from.kind);
      to.timed = load(from.timed) != 0;
      to.joins = to.kind == OperationKind::task_join ? load(from.joins) : kNoTask;
      to.object = load(from.object);
      to.pc = load(from.pc);
    }
    if (!to.is_alive()) continue;
    const std::size_t held = std::min<std::size_t>(load(from.held_count), kFreeHeld);
    for (std::size_t h = 0; h < held; ++h) {
      const std::uint64_t lock = load(from.held[h]);
      if (lock != 0) to.held.push_back({lock & ~std::uint64_t{1}, (lock & 1) != 0, load(from.held_pc[h])});
    }
  }
  return snapshot;
}

KernelView kernel_view(pid_t process) {
  KernelView view;
  view.sleeps = [process](std::int32_t thread) {
    const char state = kernel_state(process, thread);
    return state == 'S' || state == 'D';
  };
  view.can_be_woken_from_outside = [process](std::size_t known_threads) {
    std::error_code gone;
    std::size_t threads = 0;
    const std::string folder = "/proc/" + std::to_string(process) + "/task";
    for (std::filesystem::directory_iterator thread(folder, gone), end; !gone && thread != end;
         thread.increment(gone)) {
      // A first thread that has ended stays as a zombie while others continue.
      const char state = kernel_state(process, std::atoi(thread->path().filename().c_str()));
      if (state != 'Z' && state != 'X') ++threads;
      std::ifstream children(thread->path() / "children");
      std::string child;
      if (children >> child) return true;
    }
    return gone || threads != known_threads || has_handlers(process);
  };
  return view;
}

std::vector<TaskId> cycle_of_waits(const FreeSnapshot& snapshot) {
  // Depth first; `path` leads from the start to the current node.
  enum class Mark : std::uint8_t { fresh, on_path, done };
  std::vector<Mark> marks(snapshot.threads.size(), Mark::fresh);
  std::vector<TaskId> path;
  std::vector<TaskId> cycle;
  const std::function<bool(TaskId)> visit = [&](TaskId task) {
    marks[task] = Mark::on_path;
    path.push_back(task);
    for (const TaskId next : waits_for(snapshot, snapshot.threads[task])) {
      if (marks[next] == Mark::on_path) {
        cycle.assign(std::find(path.begin(), path.end(), next), path.end());
        return true;
      }
      if (marks[next] == Mark::fresh && visit(next)) return true;
    }
    path.pop_back();
    marks[task] = Mark::done;
    return false;
  };
  for (const SeenThread& thread : snapshot.threads) {
    if (marks[thread.task] == Mark::fresh && visit(thread.task)) return cycle;
  }
  return {};
}

bool all_are_blocked(const FreeSnapshot& snapshot) {
  bool somebody = false;
  for (const SeenThread& thread : snapshot.threads) {
    if (!thread.is_alive()) continue;
    if (!waits_without_limit(thread)) return false;
    somebody = true;
  }
  return somebody;
}

TaskId holder_for(const FreeSnapshot& snapshot, const SeenThread& thread) {
  const std::vector<TaskId> others = waits_for(snapshot, thread);
  return others.empty() ? kNoTask : others.front();
}

bool FreeWatch::is_deadlocked(const FreeSnapshot& now, Time time, const KernelView& kernel) {
  std::size_t alive = 0;
  for (const SeenThread& thread : now.threads) {
    const auto [entry, is_new] = unchanged_.try_emplace(thread.task, Since{thread, time});
    if (!is_new && entry->second.seen != thread) entry->second = Since{thread, time};
    if (thread.is_alive()) ++alive;
  }
  const auto still_for = [&](TaskId task, std::chrono::milliseconds enough) {
    return time - unchanged_.at(task).time >= enough && sleeps(now.threads[task], kernel);
  };
  const std::vector<TaskId> cycle = cycle_of_waits(now);
  const bool cycle_stands = !cycle.empty() && std::all_of(cycle.begin(), cycle.end(),
                                                          [&](TaskId task) { return still_for(task, kTwoLooks); });
  if (cycle_stands) return true;
  if (!all_are_blocked(now)) return false;
  for (const SeenThread& thread : now.threads) {
    if (thread.is_alive() && !still_for(thread.task, kStandstill)) return false;
  }
  return !kernel.can_be_woken_from_outside(alive);
}

FindingRecord record_of(const FreeSnapshot& snapshot, FindingKind kind, const std::string& message) {
  FindingRecord record;
  record.kind = kind;
  const std::size_t size = std::min(message.size(), sizeof record.message - 1);
  std::memcpy(record.message, message.data(), size);
  std::vector<TaskId> order;
  if (kind == FindingKind::deadlock) order = cycle_of_waits(snapshot);
  for (const SeenThread& thread : snapshot.threads) {
    if (thread.is_alive() && std::find(order.begin(), order.end(), thread.task) == order.end()) {
      order.push_back(thread.task);
    }
  }
  record.participants_total = static_cast<std::uint32_t>(order.size());
  if (!order.empty()) record.task = order.front();
  for (const TaskId task : order) {
    if (record.participants == kMaxParticipants) break;
    const SeenThread& thread = snapshot.threads[task];
    ParticipantRecord& part = record.participant[record.participants++];
    part.operation.task = task;
    const bool blocked = thread.state == FreeState::blocked;
    if (blocked) {
      part.operation.kind = thread.kind;
      part.operation.object = thread.kind == OperationKind::task_join ? thread.joins : thread.object;
      part.operation.pc = thread.pc;
      part.holder = holder_for(snapshot, thread);
      part.blocked = 1;
    }
    const std::uint64_t place = blocked && thread.pc != 0 ? thread.pc : thread.site;
    if (place != 0) part.stack.frames[part.stack.count++] = place;
    for (std::size_t i = 0; i < thread.held.size() && i < std::size(part.held); ++i) {
      part.held[i] = thread.held[i].object;
      part.held_pc[i][0] = thread.held[i].pc;
    }
  }
  return record;
}

std::vector<TaskRecord> task_records_of(const FreeSnapshot& snapshot) {
  std::vector<TaskRecord> records(snapshot.threads.size());
  for (const SeenThread& thread : snapshot.threads) {
    TaskRecord& record = records[thread.task];
    record.creator = thread.creator;
    record.create_pc = thread.create_pc;
    record.created[0] = thread.create_pc;
  }
  return records;
}

}  // namespace ravel
