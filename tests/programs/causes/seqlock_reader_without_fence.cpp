// SPDX-License-Identifier: Apache-2.0
// A seqlock whose writer makes the sequence odd with a relaxed store: the reader can see the new x with the old
// sequence.
// FINDING: assertion
#include <atomic>
#include <cassert>
#include <thread>

class Position {
 public:
  void move(int x, int y) {
    const unsigned sequence = sequence_.load(std::memory_order_relaxed);
    sequence_.store(sequence + 1, std::memory_order_relaxed);  // CAUSE: first
    x_.store(x, std::memory_order_relaxed);                    // CAUSE: first
    y_.store(y, std::memory_order_relaxed);                    // CAUSE: first
    sequence_.store(sequence + 2, std::memory_order_release);
  }
  bool read(int& x, int& y) const {
    const unsigned before = sequence_.load(std::memory_order_acquire);
    if (before % 2 != 0) return false;
    x = x_.load(std::memory_order_relaxed);                      // CAUSE: second
    y = y_.load(std::memory_order_relaxed);                      // CAUSE: second
    return sequence_.load(std::memory_order_relaxed) == before;  // CAUSE: second
  }

 private:
  std::atomic<unsigned> sequence_{0};
  std::atomic<int> x_{0};
  std::atomic<int> y_{0};
};

int main() {
  Position position;
  std::thread physics([&] { position.move(3, 3); });
  int x = 0;
  int y = 0;
  if (position.read(x, y)) assert(x == y);
  physics.join();
}
