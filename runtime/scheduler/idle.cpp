// SPDX-License-Identifier: Apache-2.0
// What happens when no task can run: time passes, spinning loops are released, the outside world is asked; if nothing
// helps it is a deadlock. Also: lock cycles, which are deadlocks even while others run, and livelock.
#include "base/random.h"
#include "runtime/scheduler/scheduler.h"

namespace ravel {
namespace {

constexpr int kChance = 20;  // milliseconds
constexpr std::uint32_t kVainWaits = 10;

}  // namespace

void Scheduler::resolve_idle() {
  while (enabled_.empty()) {
    // Something outside may be ready for a task that waits for a descriptor. A short real wait first: virtual time
    // would otherwise run out before the outside world has had a chance. If nothing comes, time is what they wait for.
    if (hooks_.wait_for_external != nullptr) {
      const bool waits = waits_for_time() && vain_waits_ < kVainWaits;
      if (hooks_.wait_for_external(waits ? kChance : 0)) {
        vain_waits_ = 0;
        continue;
      }
      if (waits) ++vain_waits_;
    }
    if (advance_time()) {
      // What was taken for spinning may have been work: a task that waits again and again for a time must not keep it
      // from continuing.
      release_spinners();
      continue;
    }
    if (release_spinners() || release_from_dead_objects()) continue;
    if (hooks_.wait_for_external != nullptr && hooks_.wait_for_external(-1)) {
      summary().external |= kExternalWait;
      look_again();
      continue;
    }
    deadlock({});
  }
}

// What tasks wait for may have changed without a word: another process shares memory with this one.
void Scheduler::look_again() {
  for (TaskId id = 0; id < task_count_; ++id) {
    if (tasks_[id].state == TaskState::live) set_enabled(id, can_go(id));
  }
}

// A task that waits for an object that is over would wait for whatever lies there now. It may go on: its operation is
// wrong, which is for its primitive to say.
bool Scheduler::release_from_dead_objects() {
  if (hooks_.object_is_over == nullptr) return false;
  bool any = false;
  for (TaskId id = 0; id < task_count_; ++id) {
    Scheduling& state = scheduling_[id];
    if (tasks_[id].state != TaskState::live || state.wait.ready == nullptr) continue;
    if (!hooks_.object_is_over(pending_[id])) continue;
    if (state.freed_from_wait) stop();  // it has been told, and what comes of it is of no interest
    state.freed_from_wait = true;
    state.wait.ready = nullptr;
    set_enabled(id, true);
    any = true;
  }
  return any;
}

// Moves the clock to the earliest deadline; those who waited for it give up waiting.
bool Scheduler::advance_time() {
  std::uint64_t earliest = next_timer_signal();
  for (const Scheduling* state = timed_.first(); state != nullptr; state = timed_.next(*state)) {
    if (state->wait.deadline < earliest) earliest = state->wait.deadline;
  }
  if (earliest == kNever) return false;
  pass_time(earliest);
  return true;
}

void Scheduler::pass_time(std::uint64_t time) {
  if (time > now_) now_ = time;
  if (!controlled_) return;
  summary().virtual_nanoseconds = now_;
  for (const Scheduling* state = timed_.first(); state != nullptr; state = timed_.next(*state)) {
    if (state->wait.deadline > now_) continue;
    const TaskId id = id_of(*state);
    if (state->spinning.linked()) stop_spinning(id);
    set_enabled(id, true);
  }
  if (hooks_.send_timer_signals != nullptr) hooks_.send_timer_signals();
}

Turn Scheduler::wait_alone(const Task& me, const Wait& wait) {
  while (controlled_) {
    const std::uint64_t signal = next_timer_signal();
    if (signal >= wait.deadline) break;
    pass_time(signal);
    if (wait.ready(wait.object, me)) return Turn::go;
  }
  if (wait.deadline > now_) now_ = wait.deadline;
  return Turn::timed_out;
}

bool Scheduler::waits_for_time() const { return !timed_.empty() || next_timer_signal() != kNever; }

std::uint64_t Scheduler::next_timer_signal() const {
  return hooks_.next_timer_signal == nullptr ? kNever : hooks_.next_timer_signal();
}

void Scheduler::skip_time(std::uint64_t time) {
  if (time <= now_) return;
  const std::uint64_t skipped = time - now_;
  for (Scheduling* state = timed_.first(); state != nullptr; state = timed_.next(*state)) {
    const std::uint64_t deadline = state->wait.deadline;
    if (!state->wait.brief && deadline > now_ && deadline < kNever - skipped) state->wait.deadline = deadline + skipped;
  }
  pass_time(time);
}

void Scheduler::stop_spinning(TaskId task) {
  Scheduling& state = scheduling_[task];
  spinners_.remove(state);
  spin_index_.remove(task, state.spin);
  state.spin.clear();
}

// No other task can run: loops that were taken for spinning may continue. A loop that ends by itself does so; one that
// does not reaches the step bound.
bool Scheduler::release_spinners() {
  bool released = false;
  while (!spinners_.empty()) {
    const TaskId id = id_of(*spinners_.first());
    stop_spinning(id);
    if (can_go(id)) {
      set_enabled(id, true);
      released = true;
    }
  }
  return released;
}

void Scheduler::wake_spinners(std::uint64_t address, std::uint64_t size) {
  const bool wrote = scheduling_[current_->id].wrote;
  spin_index_.visit_watching(address, size, [&](TaskId id) {
    if (id == current_->id || !scheduling_[id].spin.watches(address, size)) return;
    // Two tasks that look under the same lock would wake each other forever: a task that has written nothing has
    // nothing to show.
    if (scheduling_[id].spins_for_lock && !wrote) return;
    stop_spinning(id);
    set_enabled(id, can_go(id));
  });
}

// `task` has just blocked on something held by another: follow the holders. Coming back to it is a deadlock, whatever
// the rest of the program does.
void Scheduler::look_for_lock_cycle(Task& task) {
  TaskId cycle[kMaxParticipants];
  std::uint32_t length = 0;
  TaskId at = task.id;
  while (length < kMaxParticipants) {
    const Scheduling& state = scheduling_[at];
    if (enabled_.contains(at) || state.wait.holder == nullptr || state.wait.deadline != kNever) return;
    if (tasks_[at].state != TaskState::live) return;
    cycle[length++] = at;
    at = state.wait.holder(state.wait.object);
    if (at == task.id) deadlock({cycle, length});
    if (at >= task_count_ || tasks_[at].id == current_->id) return;
  }
}

void Scheduler::deadlock(std::span<const TaskId> cycle) {
  Task& asking = *current_;
  FindingKind kind = FindingKind::deadlock;
  TaskId ids[kMaxParticipants];
  std::uint32_t count = 0;
  std::uint32_t total = 0;
  char message[sizeof FindingRecord::message] = {};
  if (!cycle.empty()) {
    for (const TaskId id : cycle) ids[count++] = id;
    total = count;
  } else {
    for (TaskId id = 0; id < task_count_; ++id) {
      if (tasks_[id].state != TaskState::live) continue;
      ++total;
      if (count < kMaxParticipants) ids[count++] = id;
      const OperationKind what = pending_[id].kind;
      const bool waits = what == OperationKind::condition_wait || what == OperationKind::condition_wake ||
                         what == OperationKind::futex_wait;
      if (waits && hooks_.notify_was_lost != nullptr && hooks_.notify_was_lost(pending_[id].object)) {
        kind = FindingKind::lost_wakeup;
      }
      if (what == OperationKind::sync_wait && hooks_.tell_sync_wait != nullptr) {
        hooks_.tell_sync_wait(scheduling_[id].wait.object, message, sizeof message);
      }
    }
    // A task that waits for an event of a race test may be the one that others wait for.
    if (message[0] != '\0') kind = FindingKind::deadlock;
  }
  FindingRecord* record = new_finding(kind, message);
  if (record != nullptr) {
    record->task = ids[0];
    record->participants_total = total;
    for (std::uint32_t i = 0; i < count; ++i) {
      fill_participant(record->participant[i], tasks_[ids[i]], pending_[ids[i]], true);
      record->participants = static_cast<std::uint16_t>(i + 1);
    }
  }
  current_ = &asking;
  stop();
}

// From half the step bound on, remembers which (task, operation, value) occur. If the second half of that window brings
// nothing new while every running task keeps retrying, continuing is pointless: livelock.
void Scheduler::observe_for_livelock(const Operation& operation) {
  const std::uint64_t steps = summary().steps;
  if (livelock_opened_ == 0) {
    livelock_opened_ = steps;
    livelock_new_ = 0;
    for (TaskId id = 0; id < task_count_; ++id) {
      scheduling_[id].retried = false;
      scheduling_[id].could_run = enabled_.contains(id);
    }
  }
  std::uint64_t signature = hash_mix(hash_mix(operation.task, operation.pc), scheduling_[operation.task].looked);
  if (is_memory_access(operation.kind) && operation.size <= 8) {
    std::uint64_t value = 0;
    __builtin_memcpy(&value, reinterpret_cast<const void*>(operation.object), operation.size);
    signature = hash_mix(signature, value);
  }
  signature = hash_mix(signature, operation.object) % (sizeof seen_ * 8);
  std::uint64_t& word = seen_[signature / 64];
  const std::uint64_t bit = std::uint64_t{1} << (signature % 64);
  if ((word & bit) == 0) {
    word |= bit;
    if (steps - livelock_opened_ > max_steps_ / 4) ++livelock_new_;
  }
  if (operation.kind == OperationKind::mutex_try_lock || operation.kind == OperationKind::atomic_cas ||
      operation.kind == OperationKind::spin_try_lock || operation.kind == OperationKind::semaphore_try_wait ||
      operation.kind == OperationKind::rwlock_try_read_lock || operation.kind == OperationKind::rwlock_try_write_lock ||
      operation.kind == OperationKind::mutex_timed_lock || operation.kind == OperationKind::condition_timed_wait) {
    scheduling_[operation.task].retried = true;
  }
}

// The step bound is reached. Not a finding by itself: the program may just be long.
void Scheduler::cut() {
  std::uint32_t total = 0;
  std::uint32_t retrying = 0;
  bool everybody_retries = true;
  for (TaskId id = 0; id < task_count_; ++id) {
    if (tasks_[id].state != TaskState::live) continue;
    ++total;
    // Who could have run and did not, because others were preferred, may be the one they wait for.
    const bool waits = scheduling_[id].spinning.linked() || scheduling_[id].timed.linked();
    const bool blocked = !scheduling_[id].could_run && !waits;
    if (scheduling_[id].retried) {
      ++retrying;
    } else if (!blocked) {
      everybody_retries = false;
    }
  }
  // They may wait for the same as a task that waits for another process.
  if (hooks_.outside_may_act != nullptr && hooks_.outside_may_act()) everybody_retries = false;
  // A bound the user has set low says nothing: a loop may well yield a thousand times.
  constexpr std::uint64_t kFewestSteps = 100'000;
  const bool long_enough = summary().steps >= kFewestSteps;
  if (!long_enough || !everybody_retries || retrying == 0 || livelock_opened_ == 0 || livelock_new_ != 0) {
    stop(Outcome::cut);
  }
  Task& asking = *current_;
  FindingRecord* record = new_finding(FindingKind::livelock, "");
  if (record != nullptr) {
    record->participants_total = total;
    std::uint32_t count = 0;
    for (TaskId id = 0; id < task_count_ && count < kMaxParticipants; ++id) {
      const bool sleeps = scheduling_[id].timed.linked() && !enabled_.contains(id);
      if (tasks_[id].state != TaskState::live || (!scheduling_[id].retried && !sleeps)) continue;
      if (count == 0) record->task = id;
      fill_participant(record->participant[count], tasks_[id], pending_[id], sleeps);
      record->participants = static_cast<std::uint16_t>(++count);
    }
  }
  current_ = &asking;
  stop();
}

}  // namespace ravel
