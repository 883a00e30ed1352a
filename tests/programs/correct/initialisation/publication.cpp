// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Read-copy-update style: readers follow one pointer; the writer publishes new versions and frees them after the
// readers.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
#include <vector>

struct Version {
  int low;
  int high;
};

int main() {
  Version first{1, 1};
  std::atomic<const Version*> current{&first};
  std::vector<std::unique_ptr<Version>> retired;
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      int last = 0;
      for (int round = 0; round < 3; ++round) {
        const Version* seen = current.load(std::memory_order_acquire);
        assert(seen->low == seen->high);
        assert(seen->low >= last);  // versions never go back
        last = seen->low;
      }
    });
  }
  std::thread writer([&] {
    for (int i = 2; i <= 3; ++i) {
      retired.push_back(std::make_unique<Version>(Version{i, i}));
      current.store(retired.back().get(), std::memory_order_release);
    }
  });
  for (auto& reader : readers) reader.join();
  writer.join();
}
