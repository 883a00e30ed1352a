// SPDX-License-Identifier: Apache-2.0
// Fails in every execution, after work that no scheduling point interrupts: an execution takes a second or two.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex lock;
static int turns;

static void work() {
  for (int part = 0; part < 4; ++part) {
    for (long i = 0; i < 150'000'000; ++i) asm volatile("");
    const std::lock_guard<std::mutex> guard(lock);
    ++turns;
  }
}

int main() {
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  assert(turns == 0);
}
