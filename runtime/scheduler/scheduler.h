// SPDX-License-Identifier: Apache-2.0
// Scheduler: the heart of the runtime. Every operation of every task passes through Scheduler::reach.
//
// Who calls it: runtime/interpose (one function per primitive). What it calls: the carrier (to run a task), the chooser
// (which task to run), the recorder (what was decided), the hooks that start-up installs (for the layers above).
//
// How a primitive is written:
//
//   Operation op{...};
//   Turn turn = scheduler().reach(op, Wait{key, &mutex_is_free, mutex, deadline});   // scheduling point, may block
//   if (turn == Turn::timed_out) return ETIMEDOUT;
//   mutex->owner = ...;                                     // the effect; no other task runs in the meantime
//   scheduler().changed(key);                               // tasks waiting for this object check again
//
// Thread safety: only the task that runs calls in here; the carrier runs one at a time. Ground rules of code inside the
// target apply: no allocation, no exceptions, no global constructors, no interposed calls.
//
// Invariants:
//  1. A task that is not running is parked inside reach(), with its pending operation announced.
//  2. `enabled_` holds exactly the live tasks whose pending operation could take effect now (and the running one).
//  3. A task leaves reach() with Turn::go only while its wait condition holds, and nothing runs between that and the
//     effect: primitives need no re-check.
//  4. Every step is in the decision log before it is acted on.
//
// Files: scheduling_point.cpp (reach, which task runs), tracing.cpp (the trace), task_life.cpp (create, end), idle.cpp
// (no task can run: time, spinning, deadlock), fairness.cpp (some run on and on while others wait for their turn),
// findings.cpp (findings about the program).
#pragma once

#include <ravel/strategy.h>

#include <cstddef>
#include <cstdint>

#include "base/intrusive_list.h"
#include "base/random.h"
#include "model/decision.h"
#include "model/finding.h"
#include "model/operation.h"
#include "runtime/fibers/carrier.h"
#include "runtime/recorder/decision_log.h"
#include "runtime/recorder/order_hash.h"
#include "runtime/recorder/replay_cursor.h"
#include "runtime/scheduler/enabled_tasks.h"
#include "runtime/scheduler/spin_index.h"
#include "runtime/scheduler/spin_watch.h"
#include "runtime/scheduler/task.h"
#include "trace/channel.h"

namespace ravel {

enum class Turn : std::uint8_t { go, timed_out, cancelled };

inline constexpr std::uint64_t kNever = ~std::uint64_t{0};

// What a pending operation waits for. `ready` is asked whenever changed(key) is called.
struct Wait {
  std::uint64_t key = 0;                                          // identity of the object waited for (its address)
  bool (*ready)(const void* object, const Task& task) = nullptr;  // nullptr: always ready
  const void* object = nullptr;                                   // passed to ready
  std::uint64_t deadline = kNever;                                // virtual time (nanoseconds) when the wait gives up
  bool cancellable = false;                                       // a cancellation point
  TaskId (*holder)(const void* object) = nullptr;                 // who holds the object, for deadlock reports
  bool brief = false;                                             // a short sleep: may end at any time
};

// Functions of the layers above the scheduler. Installed once by start-up; entries may be null.
struct SchedulerHooks {
  void (*begin_control)() = nullptr;                      // becomes the fork server; returns in each execution
  void (*run_exit_handlers)(Task& task) = nullptr;        // a task's body is over: thread_local and key destructors
  bool (*wait_for_external)(int milliseconds) = nullptr;  // tasks wait for descriptors: polls; did one become ready?
  bool (*outside_may_act)() = nullptr;                    // does a task wait for something that may come from outside?
  std::uint64_t (*next_timer_signal)() = nullptr;         // when a timer of the program sends its signal; or kNever
  void (*send_timer_signals)() = nullptr;                 // time has passed
  bool (*notify_was_lost)(std::uint64_t condition) = nullptr;
  bool (*object_is_alive)(std::uint64_t object) = nullptr;     // certainly not over
  bool (*object_is_over)(const Operation& pending) = nullptr;  // what a task waits for was destroyed, or is gone
  // Appends to `message` (`capacity` bytes, terminated) what a sync_wait with this Wait::object waits for.
  void (*tell_sync_wait)(const void* object, char* message, std::size_t capacity) = nullptr;
  void (*end_process)(int exit_code) = nullptr;  // the real exit(3)
  void (*end_at_once)(int exit_code) = nullptr;  // without running anything of the program
  void (*flush_output)() = nullptr;              // what the program has printed so far belongs to the report
};

// All members start as zeros: the object lives in memory that costs nothing until touched.
class Scheduler {
 public:
  // Start-up, once per process. T0 exists from then on.
  void start(Channel& channel, Carrier& carrier, const SchedulerHooks& hooks, IdentityHook identity);

  // At the start of each execution: follows channel.request.plan from here.
  void begin_execution(Chooser& chooser);

  // Control begins here, unless it has begun: for an execution that does not begin with the first task. Returns in each
  // execution.
  void take_control() {
    if (!controlled_) hooks_.begin_control();
  }

  // True once the program has created a task (or blocked for good before it did). Before that reach() returns at once.
  bool controlled() const { return controlled_; }
  bool concurrent() const { return controlled_ && (live_count_ > 1 || exhaustive_); }
  bool exhaustive() const { return exhaustive_; }
  bool sleeps_are_short() const { return channel_ != nullptr && channel_->request.plan.short_sleeps != 0; }

  Task& current() { return *current_; }
  Task* task(TaskId id) { return id < task_count_ ? &tasks_[id] : nullptr; }
  Task* task_of_handle(unsigned long handle);
  // What a parked task will do next.
  const Operation& pending(TaskId id) const { return pending_[id]; }
  TaskId task_count() const { return task_count_; }
  TaskId live_count() const { return live_count_; }
  bool is_enabled(TaskId id) const { return enabled_.contains(id); }
  Channel& channel() { return *channel_; }

  // Announces `operation` (the caller fills in everything but the task), waits until this task is chosen while ready,
  // and returns. The caller then performs the effect.
  Turn reach(const Operation& announced, const Wait& wait = {});

  // The same for an operation that waits for nothing, as most do.
  void pass(const Operation& announced);

  // The state of the object `key` changed: tasks that wait for it check again.
  void changed(std::uint64_t key);

  // The current task changes [address, address+size): loops that read it continue.
  void memory_written(std::uint64_t address, std::uint64_t size);

  // The current task has read memory that others write, without a scheduling point; `what` combines the place and the
  // value. A loop that sees the same each time it takes a lock is a waiting loop.
  void looked(std::uint64_t what) {
    std::uint64_t& seen = scheduling_[current_->id].looked;
    seen = (seen ^ what) * 0x9e3779b97f4a7c15ULL + what;
  }

  // What the current task has done since the last step, whoever handled it: accesses that are no points. Their number
  // decides when a task that makes no step has to yield, so it must be exact.
  struct Stretch {
    std::uint32_t accesses = 0;
    bool wrote = false;
  };
  Stretch& stretch() { return stretch_; }

  bool traces_values() const { return trace_ == TraceLevel::values; }

  // At TraceLevel::values: the current task is about to make an access that is not a scheduling point.
  void trace_access(Operation operation);

  // Asks the prefix or the strategy; records the answer. options >= 1; 0 without asking when there is no choice.
  std::uint32_t choose_environment(EnvironmentKind kind, std::uint32_t options);

  // Which store an atomic operation of the current task reads or is placed after, in [0, options); 0 is the newest. At
  // most once per step, options >= 1. Only answers other than 0 are recorded: the step says where they belong.
  // trace_store: which store it was, for TraceEvent::store.
  std::uint32_t choose_store(std::uint32_t options);
  void trace_store(std::uint64_t store);

  // The step just made was an atomic operation that saw this value, which is not the newest.
  void older_store_seen(std::uint64_t value);

  // A new task, enabled, not yet started; a scheduling point of its creator. Null and *error when the system refuses.
  Task* create(Operation operation, void* (*body)(void*), void* argument, const pthread_attr_t* attributes, int* error);

  // Runs `body` so that pthread_exit and cancellation in it come back here; its result is in task.primitive.result.
  void run_body(Task& task);

  // The current task is over. When it was the last one the process exits with 0.
  [[noreturn]] void end_current();

  // The key that tasks joining `task` wait for.
  static std::uint64_t join_key(const Task& task) { return reinterpret_cast<std::uint64_t>(&task); }

  // From begin to end no other task runs: one step, however many operations it has. Unless one of them has to wait:
  // then others run, and the section goes on afterwards.
  void begin_section(std::uint64_t pc);
  void end_section();

  // The current task lets others run first; a scheduling point.
  void yield(std::uint64_t pc);

  // From a signal handler, on the current task: it has run for long without any operation, in a loop or a call that
  // Ravel cannot see into, while others wait for their turn. A yield at a place that only the clock chose, so replay is
  // best-effort from here. Does nothing if the signal interrupted the runtime itself.
  void nudge();

  // Virtual time in nanoseconds. read_clock moves it a little, more with every read that follows without other
  // operations, so that loops that wait for time to pass end.
  std::uint64_t now() const { return now_; }
  std::uint64_t read_clock();

  // Time passes until `time` although others could run: every task whose deadline that reaches may give up waiting.
  void pass_time(std::uint64_t time);

  // The same, but only brief sleeps end by it. Whoever else waits for a time is held up as well: timeouts may come
  // late.
  void skip_time(std::uint64_t time);

  // Reports a finding about the program; the caller continues or ends the execution. `message` contains no addresses.
  // Returns where it was written, so that more can be added; nullptr if the execution has reported too many already.
  FindingRecord* report(FindingKind kind, const char* message, const Operation& operation);

  // The current task's part in something, stack included: `operation`, with what it holds.
  void describe_current(ParticipantRecord& record, const Operation& operation);

  // Same, from a signal handler: the stack is taken from where the signal arrived.
  FindingRecord* report_signal(FindingKind kind, const char* message, int signal_number, std::uint64_t fault_address);

  // True if a finding of this kind was reported in this execution.
  bool reported(FindingKind kind) const;

  // Ends the execution at once, without running any more of the program.
  [[noreturn]] void stop(Outcome outcome = Outcome::stopped);

  // A failed check of ours: keeps the message for the driver.
  void note_internal_error(const char* file, int line, const char* message);

 private:
  // What is asked of all who wait for a key is at the beginning, close together.
  struct alignas(64) Scheduling {
    Wait wait;
    ListLinks<Scheduling> waiting;   // with those whose key is in the same bucket
    ListLinks<Scheduling> spinning;  // with those that repeat a loop in which nothing changes
    bool could_run = false;          // since the livelock window opened, at least once
    ListLinks<Scheduling> timed;     // with those that have a deadline
    std::uint64_t history = 0;       // for OrderHash
    std::uint64_t looked = 0;        // what it has seen since it last took a lock, or tried to
    std::uint64_t waits_since = 0;   // the step at which it began to wait for its turn or its deadline
    std::uint32_t ran_in = 0;        // the period in which it last ran
    std::uint32_t misjudged = 0;     // how often it was taken for spinning for so long that it got a turn all the same
    std::uint32_t clock_reads = 0;
    bool spins_for_lock = false;  // what it looks at is protected by the lock it is about to take
    bool wrote = false;           // something that others can see, since it last took a lock
    bool yielding = false;
    bool retried = false;          // since the livelock window opened
    bool freed_from_wait = false;  // for an object that is over
    SpinWatch spin;
  };

  static constexpr std::uint32_t kBuckets = 512;
  static std::uint32_t bucket_of(std::uint64_t key) {
    return static_cast<std::uint32_t>((key * 0x9e3779b97f4a7c15ULL) >> 55);
  }

  TaskId id_of(const Scheduling& state) const { return static_cast<TaskId>(&state - scheduling_); }

  // scheduling_point.cpp
  void set_enabled(TaskId task, bool enabled);
  void announce(Task& me, const Operation& announced);
  bool passes_in_section(const Task& me, const Wait& wait) const;
  void begin_spinning(Task& task);
  bool can_go(TaskId task, bool object_is_alive = false) const;
  bool is_ready(TaskId task, bool object_is_alive = false) const;
  void chain(TaskId task);
  void unchain(TaskId task);
  bool note_spin(Task& task, const Operation& operation);
  void run_next(Task& me);
  void switch_to(Task& me, Task& other);
  TaskId decide();
  TaskId replayed_task();
  void account_step(TaskId next);
  std::uint32_t replayed(const ReplayCursor::Answer& answer);

  // tracing.cpp
  void trace_step(const Operation& operation, bool preempts);
  void trace_after();
  void trace_stack();
  void keep_creation(TaskId task);
  void mark_gone_frames();
  void trace_offer(DecisionKind kind, EnvironmentKind detail, std::uint32_t options, std::uint32_t taken);
  void trace_waiting();
  void trace_flag(std::uint32_t flag);
  void trace_time_out();

  // task_life.cpp
  static void task_entry(void* argument);

  // idle.cpp
  void resolve_idle();
  void look_again();
  bool advance_time();
  Turn wait_alone(const Task& me, const Wait& wait);  // there is no other task
  bool waits_for_time() const;
  std::uint64_t next_timer_signal() const;
  bool release_spinners();
  bool release_from_dead_objects();
  void stop_spinning(TaskId task);
  void wake_spinners(std::uint64_t address, std::uint64_t size);
  void look_for_lock_cycle(Task& task);
  [[noreturn]] void deadlock(std::span<const TaskId> cycle);
  void observe_for_livelock(const Operation& operation);
  [[noreturn]] void cut();

  // fairness.cpp
  void waits_a_round();
  void begin_period();
  void look_outside();
  void release_misjudged();
  void bring_deadlines();
  void hold_back_others();
  bool waits_for_long(const Scheduling& state) const;

  // findings.cpp
  FindingRecord* new_finding(FindingKind kind, const char* message);
  void fill_participant(ParticipantRecord& record, Task& task, const Operation& operation, bool blocked);
  void capture_on_request();

  ExecutionSummary& summary() { return channel_->result.summary; }

  bool controlled_ = false;
  std::uint32_t sections_ = 0;  // that the current task is in, one inside the other
  Stretch stretch_;
  Task* current_ = nullptr;
  TaskId task_count_ = 0;
  TaskId live_count_ = 0;
  std::uint64_t now_ = 0;
  Channel* channel_ = nullptr;
  Carrier* carrier_ = nullptr;
  Chooser* chooser_ = nullptr;
  SchedulerHooks hooks_;
  DecisionLog log_;
  ReplayCursor cursor_;
  TraceLevel trace_ = TraceLevel::none;
  bool exhaustive_ = false;
  bool was_idle_ = false;  // before the next step no task could run
  bool inside_ = false;    // the scheduler itself runs, not the program
  bool nudged_ = false;    // the coming yield is due to a nudge
  std::uint64_t max_steps_ = 0;
  std::uint64_t period_ends_ = 0;  // the step at which it is looked who waits for a turn
  std::uint32_t period_ = 0;
  std::uint32_t waiting_rounds_ = 0;  // of loops that wait, in this period
  std::uint32_t spin_rounds_ = 0;
  std::uint32_t vain_waits_ = 0;  // for something outside, since something came
  IntrusiveList<Scheduling, &Scheduling::timed> timed_;
  IntrusiveList<Scheduling, &Scheduling::spinning> spinners_;
  SpinIndex spin_index_;
  Task* capture_for_ = nullptr;  // who asked the task that runs next to write down its stack
  StackRecord* capture_into_ = nullptr;
  std::uint64_t livelock_opened_ = 0;  // step at which the livelock window opened; 0: not open
  std::uint64_t livelock_new_ = 0;     // signatures first seen in the second half of the window
  IntrusiveList<Scheduling, &Scheduling::waiting> buckets_[kBuckets] = {};  // by Wait::key
  EnabledTasks enabled_;
  OrderHash order_ = {};
  // Indexed by TaskId, kMaxTasks long, in memory of their own that is zero until touched.
  Operation* pending_ = nullptr;
  Scheduling* scheduling_ = nullptr;
  Task* tasks_ = nullptr;
  std::uint64_t seen_[4096] = {};  // bit set of operation signatures in the livelock window; last, being rarely touched
};

// The one scheduler of this process.
extern constinit Scheduler g_scheduler;
inline Scheduler& scheduler() { return g_scheduler; }

}  // namespace ravel
