// SPDX-License-Identifier: Apache-2.0
// Two observers read two independent flags in opposite orders and must agree which was raised first. With acquire
// loads of release stores they need not.
// FINDING: assertion
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> north{0};
static std::atomic<int> south{0};

struct View {
  int first = 0;
  int second = 0;
  bool saw_only_first() const { return first == 1 && second == 0; }
};

int main() {
  View a;
  View b;
  std::thread raise_north([] { north.store(1, std::memory_order_release); });  // CAUSE: first
  std::thread raise_south([] { south.store(1, std::memory_order_release); });  // CAUSE: first
  std::thread one([&] {
    a.first = north.load(std::memory_order_acquire);
    a.second = south.load(std::memory_order_acquire);  // CAUSE: second
  });
  std::thread two([&] {
    b.first = south.load(std::memory_order_acquire);
    b.second = north.load(std::memory_order_acquire);  // CAUSE: second
  });
  raise_north.join();
  raise_south.join();
  one.join();
  two.join();
  assert(!(a.saw_only_first() && b.saw_only_first()));
}
