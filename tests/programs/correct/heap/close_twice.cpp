// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The repaired twin: the pointer is taken away in the same step in which it is looked at.
#include <cassert>
#include <mutex>
#include <thread>
#include <utility>

static std::mutex guard;
static int* buffer = new int(1);

static void close_buffer() {
  int* mine = nullptr;
  {
    std::lock_guard lock(guard);
    mine = std::exchange(buffer, nullptr);
  }
  delete mine;
}

int main() {
  std::thread first(close_buffer);
  std::thread second(close_buffer);
  first.join();
  second.join();
  assert(buffer == nullptr);
}
