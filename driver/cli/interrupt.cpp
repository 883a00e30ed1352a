// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/interrupt.h"

#include <csignal>

namespace ravel {
namespace {

std::atomic<bool> g_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set by a signal handler");

void on_interrupt(int number) {
  g_interrupted.store(true, std::memory_order_relaxed);
  std::signal(number, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    // A shell that starts us in the background ignores SIGINT: keep it that way.
    if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = &on_interrupt;  // no SA_RESTART: the poll of a worker must return
    ::sigaction(number, &action, nullptr);
  }
  std::signal(SIGPIPE, SIG_IGN);  // a reader of our output that goes away must not kill us half-way
  return g_interrupted;
}

}  // namespace ravel
