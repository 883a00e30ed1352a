// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/sync_edges.h"

#include "runtime/scheduler/scheduler.h"

namespace ravel {
namespace {

TaskId me() { return scheduler().current().id; }

// Clocks cannot count further.
void note_lost_order() {
  if (g_happens_before.exhausted()) [[unlikely]]
    scheduler().channel().result.summary.order_lost = 1;
}

}  // namespace

constinit HappensBefore g_happens_before;

bool tracks_order() { return g_happens_before.prepared() && scheduler().controlled(); }

void acquire_edge(std::uint64_t object) {
  if (tracks_order()) g_happens_before.acquire(me(), object);
}

void release_edge(std::uint64_t object) {
  if (!tracks_order()) return;
  g_happens_before.release(me(), object);
  note_lost_order();
}

void release_edge_alone(std::uint64_t object) {
  if (!tracks_order()) return;
  g_happens_before.release_store(me(), object);
  note_lost_order();
}

void forget_edges(std::uint64_t object) {
  if (tracks_order()) g_happens_before.forget(object);
}

void wake_edge(TaskId woken) {
  if (!tracks_order()) return;
  const ReleaseClock past = g_happens_before.snapshot(me());
  g_happens_before.join(woken, past);
  g_happens_before.drop(past);
}

void acquire_edge_for(TaskId woken, std::uint64_t object) {
  if (tracks_order()) g_happens_before.acquire(woken, object);
}

void create_edge(TaskId child, TaskId creator) {
  if (tracks_order()) g_happens_before.task_created(child, creator);
}

void join_edge(TaskId joined) {
  if (tracks_order()) g_happens_before.task_joined(joined, me());
}

}  // namespace ravel
