// SPDX-License-Identifier: Apache-2.0
// Linked queue whose tail lags. A producer links its node behind the tail it saw and moves the tail with a plain store.
// Shown by: two producers see the same tail; one node is cut off, and the consumer counts one too few.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::array<std::atomic<int>, 6> next{};
  std::atomic<int> tail{0};
  auto push = [&](int node) {
    const int last = tail.load();
    next[last].store(node);
    tail.store(node);
  };
  std::thread first([&] {
    push(1);
    push(2);
  });
  std::thread second([&] {
    push(3);
    push(4);
  });
  first.join();
  second.join();
  int length = 0;
  for (int node = next[0].load(); node != 0 && length < 5; node = next[node].load()) {
    ++length;
  }
  assert(length == 4);
}
