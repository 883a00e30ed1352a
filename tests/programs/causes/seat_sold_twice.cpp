// SPDX-License-Identifier: Apache-2.0
// A reservation system whose own check reports the failure: a seat is looked at and sold with two operations.
// FINDING: user
#include <ravel/annotations.h>

#include <array>
#include <atomic>
#include <thread>

class Hall {
 public:
  bool sell(std::size_t seat) {
    if (taken_[seat].load()) return false;  // CAUSE: first
    taken_[seat].store(true);               // CAUSE: second
    if (sold_[seat].fetch_add(1) != 0) ravel_fail("a seat was sold twice");
    return true;
  }

 private:
  std::array<std::atomic<bool>, 8> taken_{};
  std::array<std::atomic<int>, 8> sold_{};
};

int main() {
  Hall hall;
  std::thread window([&] { hall.sell(3); });
  std::thread website([&] { hall.sell(3); });
  window.join();
  website.join();
}
