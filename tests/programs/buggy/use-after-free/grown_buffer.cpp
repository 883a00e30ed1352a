// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: use-after-free
// A pointer to the first element is kept across an unlock; a push_back of another task moves the elements elsewhere.
#include <mutex>
#include <thread>
#include <vector>

static std::mutex guard;
static std::vector<int> values{1, 2};

int main() {
  int seen = 0;
  std::thread reader([&] {
    const int* first = nullptr;
    {
      std::lock_guard lock(guard);
      first = values.data();
    }
    std::lock_guard lock(guard);
    seen = *first;
  });
  std::thread writer([] {
    std::lock_guard lock(guard);
    values.push_back(3);
  });
  reader.join();
  writer.join();
}
