// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The repaired twin: the reader keeps an index, which growth leaves valid.
#include <cassert>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex guard;
static std::vector<int> values{1, 2};

int main() {
  std::thread reader([] {
    std::size_t index = 0;
    {
      std::lock_guard lock(guard);
      index = values.size() - 1;
    }
    std::lock_guard lock(guard);
    assert(values[index] == static_cast<int>(index) + 1);
  });
  std::thread writer([] {
    std::lock_guard lock(guard);
    values.push_back(3);
  });
  reader.join();
  writer.join();
}
