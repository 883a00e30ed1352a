// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Repaired: who comes second closes nothing.
#include <mutex>
#include <thread>

static std::mutex guard;
static int* buffer = new int(1);
static bool closed = false;

static void close_buffer() {
  int* mine = nullptr;
  {
    std::lock_guard lock(guard);
    mine = buffer;
  }
  if (mine == nullptr) return;
  std::lock_guard lock(guard);
  if (closed) return;
  closed = true;
  delete mine;
  buffer = nullptr;
}

int main() {
  std::thread first(close_buffer);
  std::thread second(close_buffer);
  first.join();
  second.join();
}
