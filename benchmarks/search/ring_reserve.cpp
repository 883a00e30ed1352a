// SPDX-License-Identifier: Apache-2.0
// Ring of two producers that reserve a slot by a load and a store.
// Shown by: both producers reserve the same slot, in the second of their two rounds, when the check looks.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::array<std::atomic<int>, 4> slots{};
  std::atomic<int> written{0};
  auto produce = [&](int value) {
    for (int round = 0; round < 2; ++round) {
      const int at = written.load();
      written.store(at + 1);
      const int before = slots[at].exchange(value);
      assert(round == 0 || before == 0);
    }
  };
  std::thread first(produce, 1);
  std::thread second(produce, 2);
  first.join();
  second.join();
}
