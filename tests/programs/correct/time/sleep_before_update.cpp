// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The repaired twin of buggy/assertion/sleep_before_update.cpp: read and written under one lock. Beside it, waits with
// bounds that a sleep of others must not make expire.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::mutex mutex;
std::condition_variable changed;
int balance = 0;

void deposit() {
  std::this_thread::sleep_for(100ms);
  const std::lock_guard<std::mutex> lock(mutex);
  ++balance;
  changed.notify_all();
}

int main() {
  std::thread first(deposit);
  std::thread second(deposit);
  for (int polls = 0; polls < 10; ++polls) {
    {
      const std::lock_guard<std::mutex> lock(mutex);
      if (balance == 2) break;
    }
    assert(polls < 9);
    std::this_thread::sleep_for(300ms);
  }
  first.join();
  second.join();
}
