// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/user_fibers.h"

#include "runtime/interpose/points.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/sync_edges.h"
#include "runtime/memory/raw_pages.h"
#include "runtime/scheduler/scheduler.h"

namespace ravel {
namespace {

constinit thread_local UserFiber* t_fiber __attribute__((tls_model("initial-exec"))) = nullptr;

// Only the part in use: stacks are deep, switches frequent.
void copy_shadow(ShadowStack& to, const ShadowStack& from) {
  const std::uint32_t kept = from.depth < ShadowStack::kDepth ? from.depth : ShadowStack::kDepth;
  for (std::uint32_t i = 0; i < kept; ++i) to.frames[i] = from.frames[i];
  to.depth = from.depth;
}

}  // namespace

UserFiber* current_user_fiber() {
  if (t_fiber == nullptr) t_fiber = create_user_fiber();
  return t_fiber;
}

UserFiber* create_user_fiber() {
  // Pages of zeroes are a fiber with an empty stack.
  auto* const fiber = static_cast<UserFiber*>(reserve_pages(sizeof(UserFiber)));
  // It starts with its creator's past.
  if (fiber != nullptr && under_engine()) release_edge(address_of(fiber));
  return fiber;
}

void destroy_user_fiber(UserFiber* fiber) {
  if (fiber == nullptr) return;
  if (t_fiber == fiber) t_fiber = nullptr;
  if (under_engine()) forget_edges(address_of(fiber));
  release_pages(fiber, sizeof(UserFiber));
}

void switch_to_user_fiber(UserFiber* fiber) {
  UserFiber* const before = current_user_fiber();
  if (fiber == nullptr || before == nullptr || before == fiber) return;
  t_fiber = fiber;
  if (!under_engine()) return;
  // The task that runs the fiber next is ordered after what the fiber did.
  release_edge_alone(address_of(before));
  acquire_edge(address_of(fiber));
  ShadowStack& running = scheduler().current().shadow;
  copy_shadow(before->shadow, running);
  copy_shadow(running, fiber->shadow);
}

}  // namespace ravel
