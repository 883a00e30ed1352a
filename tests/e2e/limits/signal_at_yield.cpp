// SPDX-License-Identifier: Apache-2.0
// A signal for a task that does nothing but yield is delivered at the yield.

#include <sched.h>
#include <signal.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> handled = 0;
std::atomic<bool> sent = false;
std::atomic<int> handled_when_sent = -1;

int main() {
  signal(SIGUSR1, [](int) { handled = 1; });
  std::thread worker([] {
    if (!sent) return;
    sched_yield();
    handled_when_sent = handled.load();
  });
  pthread_kill(worker.native_handle(), SIGUSR1);
  sent = true;
  worker.join();
  assert(handled_when_sent != 0);
}
