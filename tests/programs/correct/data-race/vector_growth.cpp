// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: growth and reads take the same lock.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex guard;
static std::vector<int> values{1};

int main() {
  std::thread writer([] {
    std::lock_guard lock(guard);
    values.push_back(2);
  });
  std::thread reader([] {
    std::lock_guard lock(guard);
    assert(values.front() == 1 && values.size() <= 2);
  });
  writer.join();
  reader.join();
  assert(values.size() == 2);
}
