// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// SAYS: before that (value
// Two tasks poll under a lock until all have begun, which Ravel sees to be waiting and not working; then they race. The
// report has both accesses in full only if the execution that is repeated for it waits in the same places.
#include <mutex>
#include <thread>

static std::mutex lock;
static int begun = 0;
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
    if (result > 1) __builtin_abort();
  });
  std::thread writer([] {
    wait_for_all();
    result = 1;
  });
  wait_for_all();
  reader.join();
  writer.join();
}
