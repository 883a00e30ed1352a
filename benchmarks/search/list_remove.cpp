// SPDX-License-Identifier: Apache-2.0
// Hand-over-hand list whose removal holds one lock instead of two. A removal locks the node before the one it takes
// out, not that one itself.
// Shown by: two neighbours are removed at once; the second one stays in the list.
#include <array>
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Node {
  std::mutex mutex;
  std::atomic<int> next{-1};
};

int main() {
  std::array<Node, 5> nodes;  // 0 is the head
  for (int i = 0; i < 4; ++i) {
    nodes[i].next.store(i + 1);
  }
  auto remove = [&](int node) {
    int before = 0;
    while (before >= 0) {
      std::lock_guard lock(nodes[before].mutex);
      const int next = nodes[before].next.load();
      if (next == node) {
        nodes[before].next.store(nodes[node].next.load());
        return;
      }
      before = next;
    }
  };
  std::thread first(remove, 2);
  std::thread second(remove, 3);
  first.join();
  second.join();
  for (int node = 0; node >= 0; node = nodes[node].next.load()) {
    assert(node != 2 && node != 3);
  }
}
