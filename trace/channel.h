// SPDX-License-Identifier: Apache-2.0
// Channel: the memory a driver shares with one target. Format only; docs/formats/channel.md tells the protocol.
//
// The driver creates it (memfd), the target maps it at start-up. Everything the target learns is written here before it
// acts on it, so an execution that dies at any instruction has lost nothing.
//
// Thread safety: driver and target never write at the same time. The control socket orders them: the driver writes plan
// and prefix, sends one byte; the target side writes the rest, the fork server answers with one byte.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/decision.h"
#include "model/finding.h"
#include "model/launch.h"
#include "model/operation.h"
#include "model/plan.h"
#include "model/summary.h"
#include "model/trace_event.h"
#include "trace/free_run.h"

namespace ravel {

inline constexpr std::uint64_t kChannelMagic = 0x31304c4556415221ULL;  // "!RAVEL01"

// Environment variables by which the driver reaches the runtime; removed by the runtime at start-up so that programs
// the target starts are left alone. Value of the first: "<memfd>,<socket>".
inline constexpr const char* kChannelVariable = "RAVEL_CHANNEL";

// One-byte messages on the control socket.
enum class Message : std::uint8_t {
  ready = 'r',    // target -> driver: the fork server stands at its fork point
  execute = 'x',  // driver -> target: run one execution with channel.plan
  done = 'd',     // target -> driver: the execution has ended; wait_status and summary are valid
  threads = 't',  // target -> driver: cannot fork here (see ServerState); the execution runs in this very process
};

inline constexpr std::size_t kMaxFrames = 48;
inline constexpr std::size_t kMaxParticipants = 16;
inline constexpr std::size_t kHeldFrames = 6;  // lock_guard -> unique_lock -> mutex -> gthread leave one for the user
inline constexpr std::size_t kMaxFindings = 16;
inline constexpr std::size_t kMaxRaces = 10;  // of them at most so many races
inline constexpr std::size_t kMaxModules = 128;
inline constexpr std::size_t kMaxSites = 1U << 16;
inline constexpr std::size_t kMaxDecisionRuns = 1U << 22;
inline constexpr std::size_t kMaxTraceEvents = 1U << 20;
inline constexpr std::size_t kMaxTraceAccesses = 1U << 16;
inline constexpr std::size_t kMaxOffered = 1U << 18;
inline constexpr std::size_t kMaxStepStacks = 1U << 14;
inline constexpr std::size_t kMaxAccessStacks = 1U << 12;

struct StackRecord {
  std::uint32_t count = 0;
  std::uint32_t reserved = 0;
  std::uint64_t frames[kMaxFrames] = {};  // return addresses, innermost first; frames[0] is inside the operation's call
};

// One task's part in a finding.
struct ParticipantRecord {
  Operation operation;            // what it was doing; operation.task names the task
  TaskId holder = kNoTask;        // who holds the object it waits for, where that is known
  std::uint32_t blocked = 0;      // 1: operation is pending and cannot go on
  std::uint32_t value_known = 0;  // 1: operation.value is what the memory held before the access
  std::uint32_t reserved = 0;
  std::uint64_t held[8] = {};                  // addresses of locks it holds, 0-terminated
  std::uint64_t held_pc[8][kHeldFrames] = {};  // where each was taken: return addresses, innermost first, 0-terminated
  StackRecord stack;
};

// The heap block a finding is about. The stacks are known only when the execution was told to watch the block's memory.
struct HeapBlockRecord {
  std::uint64_t start = 0;  // 0: the memory is in no block of the heap
  std::uint64_t size = 0;   // as the program asked for it
  TaskId allocated_by = kNoTask;
  TaskId freed_by = kNoTask;  // kNoTask: it is live
  StackRecord allocated;
  StackRecord freed;
};

struct FindingRecord {
  FindingKind kind = FindingKind::user;
  std::uint8_t signal_number = 0;        // for `signal`
  std::uint16_t participants = 0;        // recorded ones
  std::uint32_t participants_total = 0;  // may be more than kMaxParticipants
  TaskId task = kNoTask;                 // the task that brought it about; participants[0] is its part
  std::uint32_t reserved = 0;
  std::uint64_t step = 0;
  std::uint64_t fault_address = 0;  // for `signal`
  std::uint64_t address = 0;        // data-race, heap findings: the memory it is about
  std::uint64_t size = 0;
  HeapBlockRecord block;
  char message[512] = {};  // one sentence, no addresses: byte-identical on every replay
  ParticipantRecord participant[kMaxParticipants];
};

// Memory whose accesses an execution keeps in full, so that a finding about it can name both sides. The driver asks for
// it when it repeats an execution that had such a finding: remembering every access of every execution would cost too
// much, repeating one costs next to nothing.
struct WatchRequest {
  std::uint64_t address = 0;
  std::uint64_t size = 0;       // 0: nothing is watched
  std::uint32_t creations = 0;  // 1: keep the stacks that tasks are created from, as TraceLevel::values does, too
  std::uint32_t reserved = 0;
};

// The latest access of one task to watched memory, of each kind; also what happened to the heap block there.
struct WatchedAccess {
  ParticipantRecord part;
  std::uint64_t epoch = 0;  // Epoch of runtime/memory/happens_before.h
};
inline constexpr std::size_t kMaxWatched = 64;

// An atomic operation that did not take the newest store: what makes weak memory visible. The latest ones are kept.
struct WeakRead {
  Operation operation;      // who read what where; value: what it got. A store: it was placed behind that value
  TaskId writer = kNoTask;  // of the store it took; kNoTask: the memory held that before any store seen
  TaskId newest_writer = kNoTask;
  std::uint64_t writer_pc = 0;
  std::uint64_t newest_pc = 0;
  std::uint64_t newest_value = 0;
};
inline constexpr std::size_t kMaxWeakReads = 8;

struct ModuleRecord {
  std::uint64_t start = 0;  // mapped range of the module's segments
  std::uint64_t end = 0;
  std::uint64_t bias = 0;  // load address minus link address
  char path[232] = {};     // empty for the program itself
};

// A task as reports name memory and creators.
struct TaskRecord {
  TaskId creator = kNoTask;
  std::uint32_t reserved = 0;
  std::uint64_t create_pc = 0;
  std::uint64_t created[kHeldFrames] = {};  // the calls around create_pc, innermost first, 0-terminated
  std::uint64_t stack_low = 0;
  std::uint64_t stack_high = 0;
  std::uint64_t tls_low = 0;   // its thread-local variables; 0: not known
  std::uint64_t tls_high = 0;  // the thread pointer, which they lie below
  char name[16] = {};          // pthread_setname_np
};
inline constexpr std::size_t kMaxTaskRecords = 1024;

// The stack a task was created from: where that was, and which function's variables lie where on its creator's stack.
// Only executions that are to explain something keep it: see WatchRequest::creations.
inline constexpr std::size_t kMaxCreations = 64;
inline constexpr std::size_t kMaxCreationFrames = 40;
struct CreationFrame {
  std::uint64_t pc = 0;             // return address
  std::uint64_t stack_pointer = 0;  // the lowest address of the frame; the highest is that of the next one
  std::uint64_t frame_pointer = 0;  // the register of that name, whatever it holds
  std::uint64_t gone = 0;           // the step of the first finding that came when the call was over; 0: of none
};
struct CreationRecord {
  std::uint32_t count = 0;
  std::uint32_t reserved = 0;
  std::uint64_t step = 0;                         // how many there had been
  CreationFrame frames[kMaxCreationFrames] = {};  // innermost first; those of Ravel itself are included
};

// A block of the heap: where it was allocated. At TraceLevel::values, those that tasks allocated and those from before
// the first execution that they touched.
inline constexpr std::size_t kMaxAllocations = 1U << 13;
inline constexpr std::size_t kAllocationFrames = 12;
struct AllocationRecord {
  std::uint64_t start = 0;
  std::uint64_t size = 0;                        // as the program asked for it
  std::uint64_t step = 0;                        // how many there had been
  std::uint64_t frames[kAllocationFrames] = {};  // return addresses, innermost first, 0-terminated
};

// Somebody wanted a lock while holding another: runtime/interpose/lock_order tells when, driver/campaign/lock_order
// what follows from it.
inline constexpr std::size_t kMaxLockEdges = 512;
inline constexpr std::size_t kMaxGates = 8;
struct LockEdge {
  std::uint64_t held = 0;
  std::uint64_t wanted = 0;
  std::uint32_t held_serial = 0;  // the how-manyth lock at its address
  std::uint32_t wanted_serial = 0;
  TaskId task = kNoTask;
  OperationKind wanted_kind = OperationKind::mutex_lock;
  std::uint8_t held_shared = 0;  // held by a reader
  std::uint16_t reserved = 0;
  std::uint64_t held_pc[kHeldFrames] = {};  // where it was taken: return addresses, innermost first, 0-terminated
  std::uint64_t wanted_pc[kHeldFrames] = {};
  std::uint64_t gate[kMaxGates] = {};            // other locks held, 0-terminated; lowest bit: by a reader
  std::uint64_t after[kMaxLockEdges / 64] = {};  // bit n: edge n is ordered before it by creation and joins
};

struct Channel {
  std::uint64_t magic = kChannelMagic;
  std::uint64_t bytes = 0;  // of the whole mapping: a size mismatch means driver and runtime are of different builds

  // Written by the driver before the target starts.
  LaunchOptions launch;

  // Written by the target once, before Message::ready.
  std::int32_t server_pid = 0;
  std::uint32_t instrumented = 0;  // some module calls __tsan_*
  std::uint32_t modules = 0;
  std::uint32_t forked = 0;  // 1: fork server; 0: single execution in this process
  std::uint64_t reserved0 = 0;

  // Written by the driver before Message::execute.
  Plan plan;
  WatchRequest watch;
  std::uint32_t sites_known = 0;  // shared code locations valid at the start of this execution

  // Written by the fork server: executions begun. The child forked for the n-th waits here (futex) until it is n.
  std::uint32_t begun = 0;

  // Written by the target during an execution.
  std::int32_t child_pid = 0;
  std::int32_t wait_status = 0;  // by the fork server, after the end
  ExecutionSummary summary;
  std::uint32_t findings = 0;
  std::uint32_t sites = 0;  // >= sites_known: newly learned ones appended
  char stuck[256] = {};     // what the current task was in, when the driver asked (timeout)
  char internal_error[512] = {};

  std::uint32_t watched_count = 0;
  std::uint32_t stuck_answers = 0;  // how often the current task has said where it is
  std::uint32_t creations = 0;      // tasks up to this id have a valid record below; 0: the stacks were not kept
  std::uint32_t allocations = 0;    // at most kMaxAllocations
  FindingRecord finding[kMaxFindings];
  WatchedAccess watched[kMaxWatched];
  std::uint64_t weak_reads = 0;       // made so far
  WeakRead weak_read[kMaxWeakReads];  // the n-th is at n modulo their number
  ModuleRecord module[kMaxModules];
  TaskRecord task[kMaxTaskRecords];
  std::uint64_t site[kMaxSites];               // code locations (pc) whose accesses are scheduling points
  DecisionRun prefix[kMaxDecisionRuns];        // plan.prefix_runs of them
  DecisionRun decision[kMaxDecisionRuns];      // summary.decision_runs of them
  TraceEvent trace[kMaxTraceEvents];           // summary.trace_events of them, in execution order, when plan.trace
  TraceEvent access[kMaxTraceAccesses];        // summary.trace_accesses of them: what is no step, with values
  OfferedChoice offered[kMaxOffered];          // summary.offered of them, likewise
  Operation waiting[kMaxTaskRecords];          // summary.waiting: what tasks waited for when the execution was stopped
  std::uint64_t detail[kMaxPlanDetails];       // plan.details of them: what the planner tells the chooser
  StackRecord step_stack[kMaxStepStacks];      // of the first steps of the trace, when the plan asked for values
  StackRecord access_stack[kMaxAccessStacks];  // of the first of `access`
  std::uint64_t lock_edges = 0;                // in this execution; at most kMaxLockEdges are kept
  LockEdge lock_edge[kMaxLockEdges];
  CreationRecord creation[kMaxCreations];  // by TaskId; that of T0 is empty
  AllocationRecord allocation[kMaxAllocations];
  std::uint8_t site_weight[kMaxSites];  // CarrierKind::free: how often noise is wanted at `site`; 1 is as usual
  FreeRun free;
};

}  // namespace ravel
