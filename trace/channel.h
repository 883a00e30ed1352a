// SPDX-License-Identifier: Apache-2.0
// Channel: the memory a driver shares with one target, in three parts: how the target was launched, what the next
// execution is asked to do, what the last execution left. docs/formats/channel.md describes the protocol.
//
// The driver creates it (memfd), the target maps it at start-up. The target writes everything here before it acts on
// it, so an execution that dies at any instruction loses nothing.
//
// Thread safety: the control socket orders driver and target. The driver writes the request and sends one byte; the
// target writes the result, and the fork server answers with one byte. In between the driver only reads: single words
// of the result (is there progress?) and FreeRun, which says how.
//
// Invariants:
//  1. Zeros are a valid channel. Nobody constructs one: that would touch, and so allocate, all of a sparse mapping.
//  2. Only write_request() resets request and result, and only their heads: the counts there say how much of the
//     tables is valid. Read the tables through the functions at the end, which never go beyond them: a target that
//     died may have written any count.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/check.h"
#include "model/decision.h"
#include "model/launch.h"
#include "model/noise.h"
#include "model/operation.h"
#include "model/plan.h"
#include "model/summary.h"
#include "model/trace_event.h"
#include "trace/finding_record.h"
#include "trace/free_run.h"
#include "trace/label_record.h"
#include "trace/lock_edge.h"
#include "trace/module_record.h"
#include "trace/stack_record.h"
#include "trace/task_record.h"

namespace ravel {

inline constexpr std::uint64_t kChannelMagic = 0x31304c4556415221ULL;  // "!RAVEL01"

// The environment variable that tells the runtime its channel: "<memfd>,<socket>". The runtime removes it at start-up,
// so that programs the target starts are left alone.
inline constexpr const char* kChannelVariable = "RAVEL_CHANNEL";

// One-byte messages on the control socket.
enum class Message : std::uint8_t {
  ready = 'r',    // target -> driver: at its first task creation; launch is complete
  execute = 'x',  // driver -> target: run one execution; request is complete. Not needed by a resident child
  done = 'd',     // fork server or resident child -> driver: the execution has ended; result is complete
};

// How the changes that a target made to files are kept from the disk. In order: one that is worse stays.
enum class FileChanges : std::uint32_t {
  none,
  apart,   // in a private view
  copied,  // on the disk: the driver puts them back
  left,    // on the disk, to stay there
};

// Can a child of this target put its memory back and perform many executions?
enum class ResidenceState : std::uint32_t { untried, works, refused };

inline constexpr std::size_t kMaxModules = 128;
inline constexpr std::size_t kMaxSites = 1U << 16;
inline constexpr std::size_t kMaxFindings = 16;
inline constexpr std::size_t kMaxRaces = 10;  // at most this many of them are races
inline constexpr std::size_t kMaxDecisionRuns = 1U << 22;
inline constexpr std::size_t kMaxTraceEvents = 1U << 20;
inline constexpr std::size_t kMaxTraceAccesses = 1U << 16;
inline constexpr std::size_t kMaxOffered = 1U << 18;
inline constexpr std::size_t kMaxStepStacks = 1U << 14;
inline constexpr std::size_t kMaxAccessStacks = 1U << 14;
inline constexpr std::size_t kMaxTaskRecords = 1024;
inline constexpr std::size_t kMaxCreations = 64;
inline constexpr std::size_t kMaxAllocations = 1U << 13;
inline constexpr std::size_t kMaxWeakReads = 8;
inline constexpr std::size_t kMaxLabels = 256;
inline constexpr std::size_t kMaxChangedGlobals = 64;

// How the target was started, and what it says about itself. Valid for the life of the target.
struct Launch {
  LaunchOptions options;  // written by the driver before the start

  // Written by the target before Message::ready. Modules, including instrumented ones, may also be loaded during an
  // execution.
  std::int32_t server_pid = 0;
  std::uint32_t instrumented = 0;  // some module calls __tsan_*
  std::uint32_t modules = 0;
  std::uint32_t forked = 0;  // 1: fork server; 0: single execution in this process

  // Written by the target when it changes files, at any time.
  FileChanges file_changes = FileChanges::none;
  std::uint8_t binds_address = 0;  // one that the program names: executions share it
  std::uint16_t bound_port = 0;    // such a port; 0: it is no port
  std::int32_t file_trouble = 0;   // errno: why they are not kept apart
  char backup_directory[64] = {};  // by the driver: where copies of files go, if it comes to that (trace/file_backup.h)

  ModuleRecord module[kMaxModules];

  // Executions, counted: ordered by the driver, begun and ended. A resident child waits at `ordered` (futex); one that
  // the fork server made in advance for the n-th waits at `begun` until it is n.
  std::uint32_t ordered = 0;
  std::uint32_t begun = 0;
  std::uint32_t ended = 0;
  // The driver waits at `ended` (futex) for a moment, then writes the number of the execution here and waits for
  // Message::done and everything else that may happen. A message that is not about the execution is ignored.
  std::uint32_t awaited_at_socket = 0;
  ResidenceState residence = ResidenceState::untried;
  std::uint32_t resident = 0;  // 1: a resident child waits for the next order, or will soon
};

// Memory whose accesses an execution keeps in full, so that a finding about it can name both sides. The driver asks for
// it when it repeats an execution that had such a finding: remembering every access of every execution would cost too
// much, repeating one costs next to nothing.
struct WatchRequest {
  std::uint64_t address = 0;
  std::uint64_t size = 0;       // 0: nothing is watched
  std::uint32_t creations = 0;  // 1: keep the stacks that tasks are created from, as TraceLevel::values does
  std::uint32_t reserved = 0;
};

// The part of a request that is small and rewritten each time.
struct RequestHead {
  Plan plan;
  WatchRequest watch;
  NoisePlan noise;                // CarrierKind::free: replaces the plan
  std::uint32_t sites_known = 0;  // entries of ExecutionRequest::site that are valid at the start
  std::uint32_t fresh = 0;        // 1: by a child that was forked for it
};

// What the driver asks for: complete before Message::execute.
struct ExecutionRequest : RequestHead {
  std::uint32_t prefix_runs = 0;
  std::uint32_t details = 0;
  std::uint64_t site[kMaxSites];          // code locations (pc) whose accesses are points; the execution adds to them
  std::uint8_t site_weight[kMaxSites];    // CarrierKind::free: how often noise is wanted at `site`; 1 is usual
  DecisionRun prefix[kMaxDecisionRuns];   // prefix_runs of them: decisions to follow before asking the chooser
  std::uint64_t detail[kMaxPlanDetails];  // details of them: what the planner tells the chooser
};

// The latest access of each kind by one task to watched memory; also what happened to the heap block there.
struct WatchedAccess {
  ParticipantRecord part;
  std::uint64_t epoch = 0;  // Epoch of runtime/memory/happens_before.h
};
inline constexpr std::size_t kMaxWatched = 64;

// The part of a result that is small and cleared before each execution.
struct ResultHead {
  std::int32_t child_pid = 0;
  std::int32_t wait_status = 0;   // by the fork server or a resident child, after the end
  std::uint32_t earlier = 0;      // executions that the same process performed before
  std::uint64_t time_before = 0;  // nanoseconds of processor time that the process had used by then
  ExecutionSummary summary;
  std::uint32_t sites = 0;  // >= sites_known: the rest were found by the execution
  std::uint32_t findings = 0;
  std::uint32_t watched_count = 0;
  std::uint32_t creations = 0;    // tasks up to this id have a valid record; 0: the stacks were not kept
  std::uint32_t allocations = 0;  // at most kMaxAllocations
  std::uint32_t labels = 0;
  std::uint32_t changed_globals = 0;
  std::uint32_t stuck_answers = 0;  // how often the current task has reported where it is
  std::uint64_t weak_reads = 0;     // in total
  std::uint64_t lock_edges = 0;     // at most kMaxLockEdges are kept
  char stuck[256] = {};             // what the current task was doing when the driver asked (timeout)
  char internal_error[512] = {};
  char misuse[256] = {};  // what ravel::explore cannot work with: one sentence, from the runtime
};

// What an execution leaves, written as it runs.
struct ExecutionResult : ResultHead {
  FindingRecord finding[kMaxFindings];
  WatchedAccess watched[kMaxWatched];
  WeakRead weak_read[kMaxWeakReads];  // a ring: the n-th is at n modulo its size
  TaskRecord task[kMaxTaskRecords];
  DecisionRun decision[kMaxDecisionRuns];      // summary.decision_runs of them
  TraceEvent trace[kMaxTraceEvents];           // summary.trace_events of them, in execution order, when plan.trace
  TraceEvent access[kMaxTraceAccesses];        // summary.trace_accesses of them: not steps, with values
  OfferedChoice offered[kMaxOffered];          // summary.offered of them, likewise
  Operation waiting[kMaxTaskRecords];          // summary.waiting: what tasks waited for when the execution was stopped
  StackRecord step_stack[kMaxStepStacks];      // of the first steps of the trace, if the plan asked for values
  StackRecord access_stack[kMaxAccessStacks];  // of the first entries of `access`
  LockEdge lock_edge[kMaxLockEdges];
  CreationRecord creation[kMaxCreations];  // by TaskId; that of T0 is empty
  AllocationRecord allocation[kMaxAllocations];
  LabelRecord label[kMaxLabels];
  // Of an explored body, the first time: where global variables of the program were not what they had been.
  std::uint64_t changed_global[kMaxChangedGlobals];
  FreeRun free;  // CarrierKind::free. Never reset: such a target performs one run
};

struct Channel {
  std::uint64_t magic = kChannelMagic;
  std::uint64_t bytes = 0;  // of the whole mapping: a mismatch means that driver and runtime are from different builds
  Launch launch;
  ExecutionRequest request;
  ExecutionResult result;
};

// Asks for an execution and clears what the last one left. Called by the driver before Message::execute, after it has
// filled in request.site and site_weight.
inline void write_request(Channel& channel, const RequestHead& head, std::span<const DecisionRun> prefix = {},
                          std::span<const std::uint64_t> details = {}) {
  RAVEL_CHECK(prefix.size() <= kMaxDecisionRuns && details.size() <= kMaxPlanDetails && head.sites_known <= kMaxSites,
              "prefix, details or sites exceed the channel");
  ExecutionRequest& request = channel.request;
  static_cast<RequestHead&>(request) = head;
  request.prefix_runs = static_cast<std::uint32_t>(prefix.size());
  std::copy(prefix.begin(), prefix.end(), request.prefix);
  request.details = static_cast<std::uint32_t>(details.size());
  std::copy(details.begin(), details.end(), request.detail);
  static_cast<ResultHead&>(channel.result) = ResultHead{};
  channel.result.sites = head.sites_known;
}

// The valid part of a table.
template <typename T, std::size_t N>
constexpr std::span<const T> valid_part(const T (&table)[N], std::uint64_t count) {
  return {table, std::min<std::size_t>(count, N)};
}

inline std::span<const ModuleRecord> modules_of(const Channel& channel) {
  return valid_part(channel.launch.module, channel.launch.modules);
}
inline std::span<const DecisionRun> prefix_of(const Channel& channel) {
  return valid_part(channel.request.prefix, channel.request.prefix_runs);
}
inline std::span<const std::uint64_t> details_of(const Channel& channel) {
  return valid_part(channel.request.detail, channel.request.details);
}
// Code locations known when the execution began; when it ended; found by it.
inline std::span<const std::uint64_t> known_sites_of(const Channel& channel) {
  return valid_part(channel.request.site, channel.request.sites_known);
}
inline std::span<const std::uint64_t> sites_of(const Channel& channel) {
  return valid_part(channel.request.site, channel.result.sites);
}
inline std::span<const std::uint64_t> new_sites_of(const Channel& channel) {
  const auto now = sites_of(channel);
  return now.subspan(std::min(now.size(), known_sites_of(channel).size()));
}
inline std::span<const FindingRecord> findings_of(const Channel& channel) {
  return valid_part(channel.result.finding, channel.result.findings);
}
inline std::span<const WatchedAccess> watched_of(const Channel& channel) {
  return valid_part(channel.result.watched, channel.result.watched_count);
}
inline std::span<const TaskRecord> tasks_of(const Channel& channel) {
  return valid_part(channel.result.task, channel.result.summary.tasks);
}
inline std::span<const CreationRecord> creations_of(const Channel& channel) {
  return valid_part(channel.result.creation, channel.result.creations);
}
inline std::span<const AllocationRecord> allocations_of(const Channel& channel) {
  return valid_part(channel.result.allocation, channel.result.allocations);
}
inline std::span<const LabelRecord> labels_of(const Channel& channel) {
  return valid_part(channel.result.label, channel.result.labels);
}
inline std::span<const std::uint64_t> changed_globals_of(const Channel& channel) {
  return valid_part(channel.result.changed_global, channel.result.changed_globals);
}
inline std::span<const LockEdge> lock_edges_of(const Channel& channel) {
  return valid_part(channel.result.lock_edge, channel.result.lock_edges);
}
inline std::span<const DecisionRun> decisions_of(const Channel& channel) {
  return valid_part(channel.result.decision, channel.result.summary.decision_runs);
}
inline std::span<const TraceEvent> trace_of(const Channel& channel) {
  return valid_part(channel.result.trace, channel.result.summary.trace_events);
}
inline std::span<const TraceEvent> accesses_of(const Channel& channel) {
  return valid_part(channel.result.access, channel.result.summary.trace_accesses);
}
inline std::span<const OfferedChoice> offered_of(const Channel& channel) {
  return valid_part(channel.result.offered, channel.result.summary.offered);
}
inline std::span<const Operation> waiting_of(const Channel& channel) {
  return valid_part(channel.result.waiting, channel.result.summary.waiting);
}
// Stacks of the first entries of trace_of() and of accesses_of().
inline std::span<const StackRecord> step_stacks_of(const Channel& channel) {
  return valid_part(channel.result.step_stack, channel.result.summary.trace_events);
}
inline std::span<const StackRecord> access_stacks_of(const Channel& channel) {
  return valid_part(channel.result.access_stack, channel.result.summary.trace_accesses);
}

}  // namespace ravel
