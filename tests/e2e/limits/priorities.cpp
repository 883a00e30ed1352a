// SPDX-License-Identifier: Apache-2.0
// Priorities are accepted, whoever asks, and change nothing. The second thread is given the lowest, the first the
// highest real-time priority: still the second may come first.
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> released = false;
std::atomic<int> arrived = 0;

int arrive() {
  while (!released) sched_yield();
  return arrived++;
}

int main() {
  int place_of_high = 0;
  std::thread high([&] { place_of_high = arrive(); });
  std::thread low([] { arrive(); });
  const sched_param highest = {99};
  const sched_param lowest = {1};
  if (pthread_setschedparam(high.native_handle(), SCHED_FIFO, &highest) != 0) return 2;
  if (pthread_setschedparam(low.native_handle(), SCHED_FIFO, &lowest) != 0) return 2;
  released = true;
  high.join();
  low.join();
  assert(place_of_high == 0);
}
