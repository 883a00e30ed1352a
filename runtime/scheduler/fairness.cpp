// SPDX-License-Identifier: Apache-2.0
// Nobody waits for ever beside tasks that run on and on. Every so many steps it is looked who has waited for long:
//  - a task that was taken for spinning gets a turn: it may have been working;
//  - a task that could run, or that finds its lock taken each time, goes before the others, whatever the strategy
//    prefers;
//  - for a task that waits for a time, the time comes;
//  - for a task that waits for something outside, it is looked whether it has come.
// A round of a loop that waits (a yield, a sleep, a spinning task) counts for many steps. All of it follows from the
// steps made so far, so a replay does the same; but for what comes from outside.
#include "runtime/scheduler/scheduler.h"

namespace ravel {
namespace {

constexpr std::uint64_t kPeriod = 4093;  // steps; prime, so that it does not always end at the same place of a loop
constexpr std::uint64_t kWaitingRound = 64;
constexpr std::uint32_t kLongWait = 4;  // periods
constexpr std::uint32_t kMostMisjudged = 10;

// How many steps a wait that may give up waits for others. A machine would make them in a small part of a second; and
// a long time is often a bound that is not meant to be reached.
std::uint64_t patience(std::uint64_t nanoseconds) {
  constexpr std::uint64_t kLeast = std::uint64_t{1} << 17;
  constexpr std::uint64_t kStepsPerSecond = std::uint64_t{1} << 14;
  return kLeast + nanoseconds / 1'000'000'000 * kStepsPerSecond;
}

}  // namespace

void Scheduler::waits_a_round() {
  ++waiting_rounds_;
  const std::uint64_t left = period_ends_ - summary().steps;
  period_ends_ -= left < kWaitingRound ? left : kWaitingRound;
}

[[gnu::noinline]] void Scheduler::begin_period() {
  const std::uint64_t steps = summary().steps;
  if (steps >= max_steps_) cut();
  ++period_;
  period_ends_ = steps + kPeriod < max_steps_ ? steps + kPeriod : max_steps_;
  look_outside();
  release_misjudged();
  bring_deadlines();
  hold_back_others();
}

// Who waits for another process or a descriptor is not waited for as long as others run. If these only wait, too, it is
// they who must let time pass, and that is real time.
void Scheduler::look_outside() {
  const bool all_wait = waiting_rounds_ * kWaitingRound > kPeriod / 2;
  waiting_rounds_ = 0;
  if (hooks_.wait_for_external == nullptr || hooks_.outside_may_act == nullptr || !hooks_.outside_may_act()) return;
  if (hooks_.wait_for_external(all_wait ? 1 : 0)) summary().external |= kExternalWait;
}

bool Scheduler::waits_for_long(const Scheduling& state) const { return period_ - state.ran_in > kLongWait; }

void Scheduler::release_misjudged() {
  for (Scheduling* state = spinners_.first(); state != nullptr;) {
    Scheduling& waiting = *state;
    state = spinners_.next(waiting);
    if (!waits_for_long(waiting)) continue;
    // If it was working, it is to get further the next time.
    if (waiting.misjudged < kMostMisjudged) ++waiting.misjudged;
    const TaskId id = id_of(waiting);
    stop_spinning(id);
    set_enabled(id, can_go(id));
  }
}

void Scheduler::bring_deadlines() {
  constexpr std::uint64_t kBriefTimer = 1'000'000'000;
  std::uint64_t sleep = kNever;
  std::uint64_t wait = kNever;
  if (const std::uint64_t timer = next_timer_signal(); timer > now_ && timer - now_ < kBriefTimer) sleep = timer;
  for (const Scheduling* state = timed_.first(); state != nullptr; state = timed_.next(*state)) {
    const std::uint64_t deadline = state->wait.deadline;
    if (deadline <= now_) continue;
    if (state->wait.brief) {
      if (waits_for_long(*state) && deadline < sleep) sleep = deadline;
    } else if (summary().steps - state->waits_since > patience(deadline - now_) && deadline < wait) {
      wait = deadline;
    }
  }
  if (sleep != kNever) skip_time(sleep);
  if (wait != kNever) pass_time(wait);
}

void Scheduler::hold_back_others() {
  bool somebody_waits = false;
  for (TaskId id = 0; id < task_count_ && !somebody_waits; ++id) {
    const bool could_run = enabled_.contains(id) || waits_for_lock(pending_[id].kind);
    somebody_waits = tasks_[id].state == TaskState::live && could_run && waits_for_long(scheduling_[id]);
  }
  if (!somebody_waits) return;
  const auto hold_back = [this](TaskId id) {
    scheduling_[id].yielding = true;
    chooser_->on_yield(id);
  };
  for (const TaskId id : enabled_.list()) {
    if (id != current_->id && !waits_for_long(scheduling_[id])) hold_back(id);
  }
  // Last: some strategies remember only the latest.
  if (enabled_.contains(current_->id)) hold_back(current_->id);
}

}  // namespace ravel
