// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: bad-free
// A text comes from new[] where it is made here and from strdup where the cache had it first; it is always deleted.
#include <cstring>
#include <mutex>
#include <thread>

static std::mutex guard;
static bool cached = false;

static char* text() {
  std::lock_guard lock(guard);
  if (cached) return strdup("from the cache");
  char* made = new char[16];
  std::strcpy(made, "made here");
  return made;
}

int main() {
  std::thread user([] { delete[] text(); });
  std::thread filler([] {
    std::lock_guard lock(guard);
    cached = true;
  });
  user.join();
  filler.join();
}
