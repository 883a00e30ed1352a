// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: one half of the pair is written under the lock, the other half without it, and a reader copies the whole.
#include <mutex>
#include <thread>

struct Pair {
  int first = 0;
  int second = 0;
};

static std::mutex guard;
static Pair pair;

int main() {
  Pair seen;
  std::thread writer([] {
    std::unique_lock lock(guard);
    pair.first = 1;
    lock.unlock();
    pair.second = 1;
  });
  std::thread reader([&] {
    std::lock_guard lock(guard);
    seen = pair;
  });
  writer.join();
  reader.join();
}
