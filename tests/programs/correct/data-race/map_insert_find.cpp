// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: one reader-writer lock; two finds may run together, an insert runs alone.
#include <cassert>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex guard;
static std::map<int, int> ages{{1, 10}, {5, 50}};

static void look_up() {
  std::shared_lock lock(guard);
  auto found = ages.find(3);
  assert(found == ages.end() || found->second == 30);
}

int main() {
  std::thread writer([] {
    std::unique_lock lock(guard);
    ages.insert({3, 30});
  });
  std::thread first(look_up);
  std::thread second(look_up);
  writer.join();
  first.join();
  second.join();
}
