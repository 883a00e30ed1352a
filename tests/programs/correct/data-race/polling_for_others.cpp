// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Tasks poll under a lock until all have begun; then they take turns by another lock.
#include <mutex>
#include <thread>

static std::mutex lock;
static int begun = 0;
static std::mutex result_lock;
static int result = 0;

static void wait_for_all() {
  {
    const std::lock_guard<std::mutex> guard(lock);
    ++begun;
  }
  for (;;) {
    const std::lock_guard<std::mutex> guard(lock);
    if (begun == 3) return;
  }
}

int main() {
  std::thread reader([] {
    wait_for_all();
    const std::lock_guard<std::mutex> guard(result_lock);
    if (result > 1) __builtin_abort();
  });
  std::thread writer([] {
    wait_for_all();
    const std::lock_guard<std::mutex> guard(result_lock);
    result = 1;
  });
  wait_for_all();
  reader.join();
  writer.join();
}
