// SPDX-License-Identifier: Apache-2.0
// Sequence lock whose writer counts only once, after it has written.
// Shown by: the reader reads the first word before and the second word after the writer, and the count both times
// before the writer moves it.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::atomic<int> sequence{0};
  std::atomic<int> low{0};
  std::atomic<int> high{0};
  std::thread writer([&] {
    for (int value = 1; value <= 2; ++value) {
      low.store(value);
      high.store(value);
      sequence.fetch_add(1);
    }
  });
  std::thread reader([&] {
    for (int attempt = 0; attempt < 2; ++attempt) {
      const int before = sequence.load();
      const int one = low.load();
      const int two = high.load();
      if (sequence.load() == before) {
        assert(one == two);
      }
    }
  });
  writer.join();
  reader.join();
}
