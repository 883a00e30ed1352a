// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The repaired twin: both ways allocate alike.
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

static std::mutex guard;
static bool cached = false;

static char* text() {
  std::lock_guard lock(guard);
  return strdup(cached ? "from the cache" : "made here");
}

int main() {
  std::thread user([] { std::free(text()); });
  std::thread filler([] {
    std::lock_guard lock(guard);
    cached = true;
  });
  user.join();
  filler.join();
}
