// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// Every access is atomic, the increment is not.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

int main() {
  std::atomic<int> tickets{0};
  std::vector<std::thread> sellers;
  for (int i = 0; i < 3; ++i) {
    sellers.emplace_back([&] { tickets.store(tickets.load() + 1); });
  }
  for (auto& seller : sellers) seller.join();
  assert(tickets.load() == 3);
}
