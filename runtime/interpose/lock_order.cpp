// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/lock_order.h"

#include <algorithm>

#include "base/random.h"
#include "runtime/interpose/held_locks.h"
#include "runtime/memory/open_table.h"
#include "runtime/memory/task_order.h"
#include "runtime/scheduler/scheduler.h"

namespace ravel {
namespace {

struct Seen {
  bool yes;
};

// Locks that are in some edge, and each one's serial: n for the n-th lock at its address, counting from 0.
struct LockAddress {
  std::uint64_t address;
  std::uint32_t serial;
};
constexpr std::uint32_t kMaxLocks = 256;

// What is known of the order of locks in one execution; for the running task. Empty until the first task is created.
struct LockOrder {
  OpenTable<Seen> seen;  // edges, by a hash of all that tells them apart
  LockAddress locks[kMaxLocks] = {};
  std::uint32_t lock_count = 0;
  bool address_reused = false;  // some serial is not 0
  Stamp stamps[kMaxLockEdges] = {};
  TaskOrder tasks;
};
constinit LockOrder g_lock_order;

void follow_task_creation(Scheduler& engine) {
  TaskOrder& tasks = g_lock_order.tasks;
  while (tasks.tasks() < engine.task_count()) tasks.created(tasks.tasks(), engine.task(tasks.tasks())->creator);
}

// The serial of the lock now at this address; at most kMaxLocks addresses are kept.
std::uint32_t serial_of(std::uint64_t address) {
  LockOrder& order = g_lock_order;
  for (std::uint32_t i = 0; i < order.lock_count; ++i) {
    if (order.locks[i].address == address) return order.locks[i].serial;
  }
  if (order.lock_count < kMaxLocks) order.locks[order.lock_count++] = LockAddress{address, 0};
  return 0;
}

// The locks held besides the one of the edge. A lock that is shared says so in its lowest bit.
void fill_gates(LockEdge& edge, const HeldLocks& held, std::uint32_t besides) {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < kept_locks(held) && count < kMaxGates; ++i) {
    if (i != besides) edge.gate[count++] = held.address[i] | (held.shared[i] ? 1 : 0);
  }
}

void record_edge(Scheduler& engine, const Task& task, std::uint32_t index, const Operation& operation) {
  Channel& channel = engine.channel();
  if (channel.result.lock_edges >= kMaxLockEdges) return;
  const std::uint32_t number = channel.result.lock_edges;
  LockEdge& edge = channel.result.lock_edge[number];
  edge = LockEdge{};
  edge.held = task.held.address[index];
  edge.wanted = operation.object;
  edge.held_serial = serial_of(edge.held);
  edge.wanted_serial = serial_of(edge.wanted);
  edge.task = task.id;
  edge.wanted_kind = operation.kind;
  edge.held_shared = task.held.shared[index] ? 1 : 0;
  std::copy(std::begin(task.held.pc[index]), std::end(task.held.pc[index]), edge.held_pc);
  record_lock_frames(task, operation.pc, edge.wanted_pc);
  fill_gates(edge, task.held, index);
  for (std::uint32_t i = 0; i < number; ++i) {
    if (g_lock_order.tasks.before(g_lock_order.stamps[i], task.id)) edge.after[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  g_lock_order.stamps[number] = Stamp(task.id, g_lock_order.tasks.tasks());
  channel.result.lock_edges = number + 1;
}

}  // namespace

void prepare_lock_order() { g_lock_order.seen.prepare(); }

void note_lock_order(const Task& task, const Operation& operation) {
  const std::uint32_t kept = kept_locks(task.held);
  Scheduler& engine = scheduler();
  if (kept == 0 || !engine.concurrent()) return;
  follow_task_creation(engine);
  for (std::uint32_t i = 0; i < kept; ++i) {
    if (task.held.address[i] == operation.object) continue;
    // Tasks created since change what the edge is ordered with: the same edge then counts as another.
    std::uint64_t key = hash_mix(hash_mix(task.id, g_lock_order.tasks.tasks()), operation.pc);
    key = hash_mix(hash_mix(key, task.held.address[i]), operation.object);
    for (const std::uint64_t pc : task.held.pc[i]) key = hash_mix(key, pc);
    if (g_lock_order.address_reused)
      key = hash_mix(hash_mix(key, serial_of(task.held.address[i])), serial_of(operation.object));
    Seen& seen = g_lock_order.seen.find_or_add(key | 1).value;
    if (seen.yes) continue;
    seen.yes = true;
    record_edge(engine, task, i, operation);
  }
}

void lock_order_task_joined(TaskId joined) {
  Scheduler& engine = scheduler();
  if (!engine.controlled()) return;
  follow_task_creation(engine);
  g_lock_order.tasks.joined(joined, engine.current().id);
}

void lock_order_forget(std::uint64_t address, std::uint64_t size) {
  for (std::uint32_t i = 0; i < g_lock_order.lock_count; ++i) {
    if (g_lock_order.locks[i].address - address >= size) continue;
    ++g_lock_order.locks[i].serial;
    g_lock_order.address_reused = true;
  }
}

}  // namespace ravel
