// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: the halves are separate memory locations. Each has its own lock; whoever copies the whole takes both.
#include <cassert>
#include <mutex>
#include <thread>

struct Pair {
  int first = 0;
  int second = 0;
};

static std::mutex first_guard;
static std::mutex second_guard;
static Pair pair;

int main() {
  std::thread one([] {
    std::lock_guard lock(first_guard);
    pair.first = 1;
  });
  std::thread other([] {
    std::lock_guard lock(second_guard);
    pair.second = 1;
  });
  std::thread reader([] {
    std::scoped_lock lock(first_guard, second_guard);
    Pair seen = pair;
    assert(seen.first <= 1 && seen.second <= 1);
  });
  one.join();
  other.join();
  reader.join();
}
