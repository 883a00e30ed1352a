// SPDX-License-Identifier: Apache-2.0
// As runtimes of parallel loops do it: a team of tasks meets again and again at a barrier made of atomics and of system
// call instructions of its own. Nothing that Ravel sees happens between the first and the last meeting, and each task
// is made to give way many times before it can go on.

#include <atomic>
#include <thread>

#include "hidden_futex.h"

constexpr int kTeam = 3;
constexpr int kMeetings = 4;

std::atomic<int> arrived = 0;
std::atomic<int> meeting = 0;

void meet() {
  const int now = meeting;
  if (++arrived == kTeam) {
    arrived = 0;
    ++meeting;
    hidden_futex(&meeting, FUTEX_WAKE, kTeam);
    return;
  }
  while (meeting == now) hidden_futex(&meeting, FUTEX_WAIT, now);
}

int main() {
  const auto work = [] {
    for (int i = 0; i < kMeetings; ++i) meet();
  };
  std::thread first(work);
  std::thread second(work);
  work();
  first.join();
  second.join();
}
