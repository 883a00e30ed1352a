// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: abort
// Two tasks may both believe they are the one to close the connection; closing twice aborts.
#include <atomic>
#include <cstdlib>
#include <thread>

static std::atomic<bool> open_now{true};
static std::atomic<int> closed{0};

static void close_connection() {
  if (open_now.load()) {
    open_now.store(false);
    if (closed.fetch_add(1) != 0) std::abort();
  }
}

int main() {
  std::thread client(close_connection);
  std::thread reaper(close_connection);
  client.join();
  reaper.join();
}
