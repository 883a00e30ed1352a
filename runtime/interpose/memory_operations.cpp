// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/memory_operations.h"

#include <algorithm>

#include "runtime/interpose/atomic_operations.h"
#include "runtime/interpose/points.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/sync_edges.h"
#include "runtime/memory/shared_memory_map.h"
#include "runtime/scheduler/scheduler.h"

namespace ravel {
namespace {

constinit SharedMemoryMap g_map;
constinit bool g_prepared = false;

// A loop that waits for memory nobody is known to share has no point in it: nobody else would ever run. So after this
// many accesses without a point, a task yields. About a millisecond of work: rare in programs that do not wait.
constexpr std::uint32_t kPatience = 1U << 16;
constinit std::uint64_t g_steps_seen = 0;        // steps of the execution at the last access
constinit std::uint32_t g_accesses_in_step = 0;  // since then
constinit bool g_wrote_in_step = false;

// Part of the identity a task borrows, like the mark of a task: it needs no table.
constinit thread_local std::uint32_t t_ignored[2] __attribute__((tls_model("initial-exec"))) = {0, 0};

// Tells the map of tasks created since the last access; cheap when there are none.
void follow_task_creation(Scheduler& engine) {
  TaskOrder& order = g_map.order();
  if (order.tasks() == engine.task_count()) [[likely]]
    return;
  if (!g_prepared) prepare_memory_operations(engine.channel());
  while (order.tasks() < engine.task_count()) order.created(order.tasks(), engine.task(order.tasks())->creator);
}

// Counts accesses between points. A task that wrote in between has got on with its work, whatever its loop looks like.
void yield_when_patience_ends(Scheduler& engine, std::uint64_t address, std::uint64_t size, bool is_write,
                              std::uint64_t pc) {
  const std::uint64_t steps = engine.channel().summary.steps;
  if (steps != g_steps_seen) {
    g_steps_seen = steps;
    g_accesses_in_step = 0;
    g_wrote_in_step = false;
  }
  if (is_write) g_wrote_in_step = true;
  if (++g_accesses_in_step < kPatience) [[likely]]
    return;
  if (g_wrote_in_step) engine.memory_written(address, size);
  reach_point(operation_on(OperationKind::yield, std::uint64_t{0}, pc));
}

bool is_ignored(OperationKind kind) {
  return t_ignored[static_cast<unsigned>(kind == OperationKind::read ? IgnoredAccess::reads : IgnoredAccess::writes)] !=
         0;
}

// Reports show what a read saw. The program is about to read it, so it is mapped.
std::uint64_t value_before(std::uint64_t address, std::uint64_t size) {
  std::uint64_t value = 0;
  if (size <= sizeof value) __builtin_memcpy(&value, reinterpret_cast<const void*>(address), size);
  return value;
}

}  // namespace

void memory_access(std::uint64_t address, std::uint64_t size, OperationKind kind, std::uint64_t pc) {
  if (!under_engine()) return;
  Scheduler& engine = scheduler();
  if (!engine.concurrent() || size == 0 || is_ignored(kind)) return;
  Channel& channel = engine.channel();
  ++channel.summary.memory_accesses;
  const bool is_write = kind != OperationKind::read;
  const PointLevel level = channel.launch.points;
  if (level == PointLevel::sync) return yield_when_patience_ends(engine, address, size, is_write, pc);
  if (level == PointLevel::shared) {
    follow_task_creation(engine);
    if (!g_map.note(address, size, is_write, pc, engine.current().id)) {
      return yield_when_patience_ends(engine, address, size, is_write, pc);
    }
  }
  Operation operation;
  operation.kind = kind;
  operation.order = MemoryOrder::relaxed;
  operation.size = static_cast<std::uint16_t>(std::min<std::uint64_t>(size, UINT16_MAX));
  operation.object = address;
  operation.pc = pc;
  if (kind != OperationKind::write) operation.value = value_before(address, size);
  reach_point(operation);
  if (is_write) engine.memory_written(address, size);
}

void note_atomic_access(std::uint64_t address, std::uint64_t size, bool is_write, std::uint64_t pc) {
  Scheduler& engine = scheduler();
  ++engine.channel().summary.memory_accesses;
  if (engine.channel().launch.points != PointLevel::shared) return;
  follow_task_creation(engine);
  g_map.note(address, size, is_write, pc, engine.current().id);
}

void ignore_begin(IgnoredAccess which) { ++t_ignored[static_cast<unsigned>(which)]; }

void ignore_end(IgnoredAccess which) {
  std::uint32_t& depth = t_ignored[static_cast<unsigned>(which)];
  if (depth > 0) --depth;
}

void prepare_memory_operations(Channel& channel) {
  if (g_prepared) return;
  g_prepared = true;
  g_map.prepare();
  if (channel.launch.races != 0 || channel.launch.memory_model == MemoryModel::c11) {
    happens_before().prepare();
    prepare_atomics(channel.launch);
  }
  g_map.locations().log_to(SiteLog{channel.site, &channel.sites, static_cast<std::uint32_t>(kMaxSites)});
}

void learn_known_sites(Channel& channel) {
  prepare_memory_operations(channel);
  channel.sites = std::min(channel.sites_known, static_cast<std::uint32_t>(kMaxSites));
  g_map.locations().learn(channel.site, channel.sites);
}

void memory_task_joined(TaskId joined) {
  Scheduler& engine = scheduler();
  follow_task_creation(engine);
  g_map.order().joined(joined, engine.current().id);
}

void memory_released(std::uint64_t address, std::uint64_t size) {
  if (!g_prepared) return;
  g_map.forget(address, size);
  forget_atomics(address, size);
}

}  // namespace ravel
