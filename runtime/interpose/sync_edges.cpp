// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/sync_edges.h"

#include "runtime/scheduler/scheduler.h"

namespace ravel {
namespace {

constinit HappensBefore g_order;

TaskId me() { return scheduler().current().id; }

}  // namespace

HappensBefore& happens_before() { return g_order; }

bool tracks_order() { return g_order.prepared() && scheduler().controlled(); }

void acquire_edge(std::uint64_t object) {
  if (tracks_order()) g_order.acquire(me(), object);
}

void release_edge(std::uint64_t object) {
  if (tracks_order()) g_order.release(me(), object);
}

void release_edge_alone(std::uint64_t object) {
  if (tracks_order()) g_order.release_store(me(), object);
}

void forget_edges(std::uint64_t object) {
  if (tracks_order()) g_order.forget(object);
}

void wake_edge(TaskId woken) {
  if (!tracks_order()) return;
  const ReleaseClock past = g_order.snapshot(me());
  g_order.join(woken, past);
  g_order.drop(past);
}

void acquire_edge_for(TaskId woken, std::uint64_t object) {
  if (tracks_order()) g_order.acquire(woken, object);
}

void create_edge(TaskId child, TaskId creator) {
  if (tracks_order()) g_order.task_created(child, creator);
}

void join_edge(TaskId joined) {
  if (tracks_order()) g_order.task_joined(joined, me());
}

}  // namespace ravel
