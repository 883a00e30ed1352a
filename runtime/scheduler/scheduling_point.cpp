// SPDX-License-Identifier: Apache-2.0
// The scheduling point: announcing an operation, deciding which task runs next, handing over.
#include <algorithm>
#include <array>

#include "base/check.h"
#include "runtime/memory/raw_pages.h"
#include "runtime/scheduler/own_memory.h"
#include "runtime/scheduler/scheduler.h"

namespace ravel {
namespace {

// What an operation says about the loop it may be part of.
enum class LoopRole : std::uint8_t {
  looks,     // sees a value and changes nothing: seeing the same again means another round
  neutral,   // part of many waiting loops, but says nothing about progress
  takes,     // neutral by itself; with what the task has seen since the last such one it ends a round
  progress,  // changes something for others: whatever was seen before does not count any more
};

constexpr LoopRole judge_loop_role(OperationKind kind) {
  switch (kind) {
    case OperationKind::read:
    case OperationKind::atomic_load:
    case OperationKind::atomic_cas:  // a successful one comes with memory_written
    case OperationKind::atomic_rmw:
    case OperationKind::mutex_try_lock:
    case OperationKind::rwlock_try_read_lock:
    case OperationKind::rwlock_try_write_lock:
    case OperationKind::spin_try_lock:
    case OperationKind::semaphore_try_wait:
    case OperationKind::yield:
      return LoopRole::looks;
    case OperationKind::fence:
    case OperationKind::mutex_unlock:
    case OperationKind::rwlock_unlock:
    case OperationKind::spin_unlock:
    case OperationKind::futex_wake:
    case OperationKind::sleep:
    case OperationKind::sync_wait:  // put by a race test into loops of the program, which wait for the same as without
                                    // it
    case OperationKind::sync_notify:
    case OperationKind::sync_arrival:
    case OperationKind::call_begin:
    case OperationKind::call_end:
      return LoopRole::neutral;
    default:
      return waits_for_lock(kind) ? LoopRole::takes : LoopRole::progress;
  }
}

constexpr auto kLoopRoles = [] {
  std::array<LoopRole, kOperationKinds> roles{};
  for (unsigned kind = 0; kind < kOperationKinds; ++kind) {
    roles[kind] = judge_loop_role(static_cast<OperationKind>(kind));
  }
  return roles;
}();
LoopRole loop_role(OperationKind kind) { return kLoopRoles[static_cast<unsigned>(kind)]; }

template <typename T>
T* reserve_table() {
  void* const memory = reserve_pages(sizeof(T) * kMaxTasks);
  RAVEL_CHECK(memory != nullptr, "no address space for the task tables");
  return static_cast<T*>(memory);
}

bool cancellation_due(const Task& task) {
  return task.primitive.cancel_pending && !task.primitive.cancel_disabled && !task.primitive.exiting;
}

// What a read of at most eight bytes would see. The program is about to read it, so it is mapped.
std::uint64_t value_in_memory(const Operation& operation) {
  std::uint64_t value = 0;
  if (operation.size <= sizeof value) {
    __builtin_memcpy(&value, reinterpret_cast<const void*>(operation.object), operation.size);
  }
  return value;
}

}  // namespace

constinit Scheduler g_scheduler;

void Scheduler::start(Channel& channel, Carrier& carrier, const SchedulerHooks& hooks, IdentityHook identity) {
  channel_ = &channel;
  carrier_ = &carrier;
  hooks_ = hooks;
  pending_ = reserve_table<Operation>();
  scheduling_ = reserve_table<Scheduling>();
  tasks_ = reserve_table<Task>();
  enabled_.use(reserve_table<TaskId>(), reserve_table<std::uint32_t>());
  scheduling_[0] = Scheduling{};
  Task& main = tasks_[0];
  main.creator = kNoTask;
  main.id = 0;
  main.state = TaskState::live;
  main.context = &carrier.adopt_main(identity);
  main.handle = main.context->handle;
  current_ = &main;
  task_count_ = 1;
  live_count_ = 1;
}

void Scheduler::begin_execution(Chooser& chooser) {
  chooser_ = &chooser;
  trace_ = channel_->request.plan.trace;
  exhaustive_ = channel_->request.plan.exhaustive != 0;
  was_idle_ = false;
  summary().weak_memory = channel_->launch.options.memory_model == MemoryModel::c11 ? 1 : 0;
  max_steps_ = channel_->launch.options.max_steps;
  period_ = 0;
  period_ends_ = 0;
  spin_rounds_ = 1U << (channel_->request.plan.spin_power < 20 ? channel_->request.plan.spin_power : 20);
  log_.begin(*channel_);
  cursor_.begin(prefix_of(*channel_));
  controlled_ = true;
  chooser.begin(channel_->request.plan, details_of(*channel_));
  channel_->result.task[0] = TaskRecord{};
  channel_->result.task[0].stack_low = tasks_[0].context->stack_low;
  channel_->result.task[0].stack_high = tasks_[0].context->stack_high;
  channel_->result.task[0].tls_low = tasks_[0].context->tls_low;
  channel_->result.task[0].tls_high = tasks_[0].context->tls_high;
  // T0 is running: it is enabled, with an operation that conflicts with nothing until it announces a real one.
  pending_[0] = Operation{};
  pending_[0].kind = OperationKind::task_start;
  pending_[0].task = 0;
  chooser.on_pending(pending_[0]);
  set_enabled(0, true);
}

void Scheduler::set_enabled(TaskId task, bool enabled) {
  if (enabled_.contains(task) == enabled) return;
  if (enabled) {
    enabled_.insert(task);
    scheduling_[task].could_run = true;
  } else {
    enabled_.remove(task);
  }
  chooser_->on_enabled(task, enabled);
}

// Could the pending operation of `task` take effect now (or give up)? `object_is_alive`: what it waits for is not over.
bool Scheduler::can_go(TaskId task, bool object_is_alive) const {
  const Scheduling& state = scheduling_[task];
  if (state.spinning.linked()) return false;
  const Wait& wait = state.wait;
  if (wait.deadline <= now_) return true;
  if (wait.cancellable && cancellation_due(tasks_[task])) return true;
  return is_ready(task, object_is_alive);
}

// Has what the task waits for come? What lies where an object was differs between a run and its replay, so nothing may
// depend on it.
bool Scheduler::is_ready(TaskId task, bool object_is_alive) const {
  const Wait& wait = scheduling_[task].wait;
  if (wait.ready == nullptr) return true;
  if (!object_is_alive && hooks_.object_is_over != nullptr && hooks_.object_is_over(pending_[task])) return true;
  return wait.ready(wait.object, tasks_[task]);
}

void Scheduler::chain(TaskId task) {
  Scheduling& state = scheduling_[task];
  if (state.wait.ready != nullptr || state.wait.cancellable) buckets_[bucket_of(state.wait.key)].push_front(state);
  if (state.wait.deadline != kNever) {
    timed_.push_front(state);
    state.waits_since = summary().steps;
  }
}

void Scheduler::unchain(TaskId task) {
  Scheduling& state = scheduling_[task];
  if (state.waiting.linked()) buckets_[bucket_of(state.wait.key)].remove(state);
  if (state.timed.linked()) timed_.remove(state);
}

namespace {

// The innermost calls of instrumented code: the outer calls are the same in each round of a loop.
std::uint64_t hash_of_calls(const ShadowStack& calls) {
  constexpr std::uint32_t kInnermost = 16;
  std::uint64_t hash = calls.depth;
  const std::uint32_t end = calls.depth < ShadowStack::kDepth ? calls.depth : ShadowStack::kDepth;
  for (std::uint32_t i = end > kInnermost ? end - kInnermost : 0; i < end; ++i) hash = hash_mix(hash, calls.frames[i]);
  return hash;
}

}  // namespace

// Updates the task's spin watch; true when it has repeated often enough to be spinning.
[[gnu::noinline]] bool Scheduler::note_spin(Task& task, const Operation& operation) {
  Scheduling& state = scheduling_[task.id];
  const LoopRole role = loop_role(operation.kind);
  std::uint64_t value = state.looked;
  state.looked = 0;
  if (role == LoopRole::takes) state.wrote = false;
  if (role == LoopRole::takes && value == 0) return false;
  if (is_memory_access(operation.kind)) value ^= value_in_memory(operation);
  const std::uint32_t rounds = spin_rounds_ << state.misjudged;
  if (!exhaustive_) return state.spin.arrive(operation, value, rounds);
  // Every useless round is one more schedule, so the first repetition counts; and nobody may be held back who would see
  // something new. What was looked at under a lock cannot have changed since it was given back.
  const std::uint64_t calls = hash_of_calls(task.shadow);
  if (role == LoopRole::takes) return state.spin.arrive(operation, value, rounds, true, calls);
  // Of locks and semaphores the first eight bytes tell whether trying again is of any use.
  if (!is_memory_access(operation.kind) && operation.object != 0) {
    Operation word = operation;
    word.size = sizeof value;
    value = value_in_memory(word);
  }
  if (!state.spin.arrive(operation, value, rounds, true, calls)) return false;
  return state.spin.sees_the_same([](const Operation& seen, std::uint64_t& now) { return read_own_memory(seen, now); });
}

// Announces what the task will do next. In place: copying what was just assembled from smaller parts makes the
// processor wait for all of them.
void Scheduler::announce(Task& me, const Operation& announced) {
  Scheduling& state = scheduling_[me.id];
  Operation& operation = pending_[me.id];
  operation = announced;
  operation.task = me.id;
  state.yielding = false;
  if (operation.kind != OperationKind::yield && operation.kind != OperationKind::sleep) state.clock_reads = 0;
  chooser_->on_pending(operation);
  const LoopRole role = loop_role(operation.kind);
  if (role == LoopRole::progress) {
    state.spin.clear();
    state.wrote = true;
  } else if (role != LoopRole::neutral && (nudged_ || note_spin(me, operation))) {
    nudged_ = false;
    begin_spinning(me);
    state.spins_for_lock = role == LoopRole::takes;
  } else if (operation.kind == OperationKind::yield) {
    state.yielding = true;
    state.retried = true;
    waits_a_round();
    chooser_->on_yield(me.id);
  } else if (operation.kind == OperationKind::sleep) {
    waits_a_round();
    // Whoever sleeps does not want to be next. A strategy that samples has drawn how long it sleeps.
    if (!exhaustive_) return;
    state.yielding = true;
    chooser_->on_yield(me.id);
  }
}

// Inlined, here and below: a point is a few hundred instructions, of which calls would be a good part.
[[gnu::flatten]] Turn Scheduler::reach(const Operation& announced, const Wait& wait) {
  Task& me = *current_;
  if (sections_ != 0 && passes_in_section(me, wait)) [[unlikely]] {
    return wait.cancellable && cancellation_due(me) ? Turn::cancelled : Turn::go;
  }
  if (!concurrent()) {
    // No other task could notice or help. Only what cannot continue by itself needs a decision.
    if (wait.cancellable && cancellation_due(me)) return Turn::cancelled;
    if (wait.ready == nullptr || wait.ready(wait.object, me)) return Turn::go;
    if (wait.deadline != kNever) return wait_alone(me, wait);
    take_control();
  }

  inside_ = true;
  Scheduling& state = scheduling_[me.id];
  state.wait = wait;
  announce(me, announced);
  const bool go_on = can_go(me.id);
  // Whether the task can continue is checked again only while others run, so it need not be indexed before they do.
  if (!go_on) chain(me.id);
  set_enabled(me.id, go_on);
  if (!go_on && wait.holder != nullptr) look_for_lock_cycle(me);

  const TaskId next = decide();
  account_step(next);
  if (next != me.id) {
    if (go_on) chain(me.id);
    const std::uint32_t sections = sections_;
    sections_ = 0;  // those of the others
    switch_to(me, tasks_[next]);
    sections_ = sections;
  }

  if (trace_ == TraceLevel::values) [[unlikely]]
    trace_stack();
  unchain(me.id);
  inside_ = false;
  if (wait.cancellable && cancellation_due(me)) return Turn::cancelled;
  if (is_ready(me.id)) return Turn::go;
  trace_time_out();
  return Turn::timed_out;
}

[[gnu::flatten]] void Scheduler::pass(const Operation& announced) {
  Task& me = *current_;
  if (sections_ != 0 || !concurrent()) return;
  inside_ = true;
  Scheduling& state = scheduling_[me.id];
  state.wait.ready = nullptr;
  state.wait.holder = nullptr;
  state.wait.deadline = kNever;
  state.wait.cancellable = false;
  announce(me, announced);
  if (state.spinning.linked()) [[unlikely]]
    set_enabled(me.id, false);
  run_next(me);
  if (trace_ == TraceLevel::values) [[unlikely]]
    trace_stack();
  inside_ = false;
}

// Inside a section an operation is a point only if it has to wait.
bool Scheduler::passes_in_section(const Task& me, const Wait& wait) const {
  if (!concurrent()) return false;
  return wait.ready == nullptr || wait.ready(wait.object, me) || (wait.cancellable && cancellation_due(me));
}

void Scheduler::begin_section(std::uint64_t pc) {
  if (sections_ == 0) {
    Operation operation;
    operation.kind = OperationKind::atomic_section;
    operation.pc = pc;
    pass(operation);
  }
  ++sections_;
}

void Scheduler::end_section() {
  if (sections_ != 0) --sections_;
}

// The task repeats a loop in which nothing changes.
[[gnu::noinline]] void Scheduler::begin_spinning(Task& task) {
  Scheduling& state = scheduling_[task.id];
  state.retried = true;
  state.yielding = true;
  waits_a_round();
  spinners_.push_front(state);
  spin_index_.add(task.id, state.spin);
  chooser_->on_yield(task.id);
}

// Hands over to the next task; returns when `me` has been chosen.
void Scheduler::run_next(Task& me) {
  const TaskId next = decide();
  account_step(next);
  if (next == me.id) return;
  switch_to(me, tasks_[next]);
  sections_ = 0;
}

void Scheduler::switch_to(Task& me, Task& other) {
  current_ = &other;
  me.parked_frame = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  me.program_frames = Task::kNotAsked;
  carrier_->switch_to(*me.context, *other.context);
  while (capture_into_ != nullptr) capture_on_request();
}

TaskId Scheduler::decide() {
  if (enabled_.empty()) {
    resolve_idle();
    was_idle_ = true;
  }
  if (summary().steps >= period_ends_) [[unlikely]]
    begin_period();
  if (cursor_.active()) return replayed_task();
  if (enabled_.size() == 1) return enabled_.first();
  const TaskId before = current_->id;
  const TaskChoice choice{enabled_.list(), pending_, before, enabled_.contains(before), summary().steps};
  const TaskId chosen = chooser_->choose_task(choice);
  RAVEL_CHECK(chosen < task_count_ && enabled_.contains(chosen), "the strategy chose a task that cannot run");
  return chosen;
}

[[gnu::noinline]] TaskId Scheduler::replayed_task() {
  return replayed(cursor_.next_task(task_count_, [this](TaskId task) {
    // What the task waited for may come later from outside than it did the first time.
    constexpr int kLatest = 200;  // milliseconds
    return enabled_.contains(task) || (hooks_.outside_may_act != nullptr && hooks_.outside_may_act() &&
                                       hooks_.wait_for_external(kLatest) && enabled_.contains(task));
  }));
}

void Scheduler::account_step(TaskId next) {
  ExecutionSummary& sum = summary();
  const TaskId before = current_->id;
  log_.record_task(next);
  const Operation& operation = pending_[next];
  bool preempts = false;
  if (enabled_.size() > 1) ++sum.choices;
  if (next != before) {
    ++sum.switches;
    preempts = enabled_.contains(before) && !scheduling_[before].yielding;
    if (preempts) ++sum.preemptions;
  }
  ++sum.steps;
  sum.memory_accesses += stretch_.accesses;
  stretch_ = {};
  sum.order_hash += order_.step(operation, scheduling_[next].history);
  scheduling_[next].ran_in = period_;
  if (trace_ != TraceLevel::none) trace_step(operation, preempts);
  if (livelock_opened_ != 0 || sum.steps * 2 >= max_steps_) observe_for_livelock(operation);
  if (operation.kind == OperationKind::program_exit) trace_waiting();
  chooser_->on_step(operation);
}

// Ends the execution when the prefix does not fit.
std::uint32_t Scheduler::replayed(const ReplayCursor::Answer& answer) {
  if (answer.reason != DivergenceReason::none) [[unlikely]] {
    Divergence& divergence = summary().divergence;
    divergence.step = summary().steps;
    divergence.expected_task = answer.expected;
    divergence.reason = static_cast<std::uint32_t>(answer.reason);
    stop(Outcome::diverged);
  }
  return answer.value;
}

[[gnu::flatten]] void Scheduler::changed(std::uint64_t key) {
  if (!controlled_) return;
  trace_flag(kTraceChanged);
  const auto& bucket = buckets_[bucket_of(key)];
  if (!bucket.empty()) {
    // Many may wait for one object, so its life is looked at once.
    const bool is_alive = hooks_.object_is_alive != nullptr && hooks_.object_is_alive(key);
    for (const Scheduling* state = bucket.first(); state != nullptr; state = bucket.next(*state)) {
      if (state->wait.key != key) continue;
      const TaskId id = id_of(*state);
      set_enabled(id, can_go(id, is_alive && reinterpret_cast<std::uint64_t>(state->wait.object) == key));
    }
  }
  if (!spinners_.empty()) wake_spinners(key, 1);
}

void Scheduler::memory_written(std::uint64_t address, std::uint64_t size) {
  if (!controlled_) return;
  trace_flag(kTraceChanged);
  scheduling_[current_->id].spin.clear();
  scheduling_[current_->id].wrote = true;
  if (!spinners_.empty()) wake_spinners(address, size);
}

std::uint32_t Scheduler::choose_environment(EnvironmentKind kind, std::uint32_t options) {
  if (options <= 1 || !controlled_) return 0;
  const std::uint32_t value = cursor_.active() ? replayed(cursor_.next_environment(kind, options))
                                               : chooser_->choose_environment(kind, options);
  RAVEL_CHECK(value < options, "the strategy made an environment choice that is not offered");
  log_.record_environment(kind, value);
  if (value != 0) scheduling_[current_->id].history += hash_mix(value, static_cast<std::uint64_t>(kind));
  trace_offer(DecisionKind::environment, kind, options, value);
  return value;
}

std::uint32_t Scheduler::choose_store(std::uint32_t options) {
  if (options <= 1 || !controlled_) return 0;
  const std::uint32_t value =
      cursor_.active() ? replayed(cursor_.next_store(current_->id, options)) : chooser_->choose_store(options);
  RAVEL_CHECK(value < options, "the strategy chose a store that is not offered");
  trace_offer(DecisionKind::reads_from, EnvironmentKind::spurious_wakeup, options, value);
  if (value == 0) return 0;
  log_.record_reads_from(value);
  scheduling_[current_->id].history += hash_mix(value, 0x73746f7265ULL);
  // The spin watch looks at memory, where the newest value is. A task that sees an old one has not seen what is there:
  // it must loop once more before it may be taken for waiting.
  scheduling_[current_->id].spin.clear();
  return value;
}

void Scheduler::yield(std::uint64_t pc) {
  Operation operation;
  operation.kind = OperationKind::yield;
  operation.pc = pc;
  reach(operation);
}

void Scheduler::nudge() {
  const bool nobody_else = enabled_.size() < 2 && timed_.empty() && spinners_.empty();
  if (!concurrent() || inside_ || nobody_else) return;
  summary().external |= kExternalNudge;
  // It waits for something that Ravel cannot see: until all others have had their turn, whatever the strategy prefers.
  nudged_ = true;
  yield(0);
}

std::uint64_t Scheduler::read_clock() {
  // A loop that waits reads on and on; who measures something reads some hundred times, and must not see seconds pass.
  constexpr std::uint32_t kReadsToDouble = 64;
  constexpr std::uint32_t kMostDoublings = 20;
  std::uint32_t& reads = scheduling_[current_->id].clock_reads;
  now_ += std::uint64_t{1000} << std::min(reads / kReadsToDouble, kMostDoublings);
  ++reads;
  return now_;
}

}  // namespace ravel
