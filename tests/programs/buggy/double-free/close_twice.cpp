// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: double-free
// Whether to close is decided in one critical section, the closing is done in the next: both tasks may decide to.
#include <mutex>
#include <thread>

static std::mutex guard;
static int* buffer = new int(1);

static void close_buffer() {
  int* mine = nullptr;
  {
    std::lock_guard lock(guard);
    mine = buffer;
  }
  if (mine == nullptr) return;
  std::lock_guard lock(guard);
  delete mine;
  buffer = nullptr;
}

int main() {
  std::thread first(close_buffer);
  std::thread second(close_buffer);
  first.join();
  second.join();
}
