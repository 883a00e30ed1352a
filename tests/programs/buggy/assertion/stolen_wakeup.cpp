// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// `if` where `while` belongs: a second consumer takes the item between the notification and the first one's return.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable filled;
static int items = 0;
static bool closed = false;

static void consume() {
  std::unique_lock lock(mutex);
  if (items == 0 && !closed) filled.wait(lock);
  if (closed) return;
  assert(items > 0);
  --items;
}

int main() {
  std::thread first(consume);
  std::thread second(consume);
  {
    std::lock_guard lock(mutex);
    ++items;
    filled.notify_one();
  }
  {
    std::lock_guard lock(mutex);
    if (items == 0) {
      closed = true;
      filled.notify_all();
    } else {
      ++items;
      filled.notify_all();
    }
  }
  first.join();
  second.join();
}
