// SPDX-License-Identifier: Apache-2.0
// A table of squares that is filled when it is first needed. The flag that says so is read without the lock.
// FINDING: data-race
#include <array>
#include <mutex>
#include <thread>

class Squares {
 public:
  int of(int number) {
    if (!filled_) fill();  // CAUSE: first
    std::lock_guard lock(mutex_);
    return table_[static_cast<std::size_t>(number)];
  }

 private:
  void fill() {
    std::lock_guard lock(mutex_);
    if (filled_) return;
    for (int i = 0; i < 16; ++i) table_[static_cast<std::size_t>(i)] = i * i;
    filled_ = true;  // CAUSE: second
  }

  std::mutex mutex_;
  bool filled_ = false;
  std::array<int, 16> table_{};
};

int main() {
  Squares squares;
  int three = 0;
  std::thread other([&] { three = squares.of(3); });
  const int four = squares.of(4);
  other.join();
  return three == 9 && four == 16 ? 0 : 1;
}
