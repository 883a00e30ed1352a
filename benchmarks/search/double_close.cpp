// SPDX-License-Identifier: Apache-2.0
// Double close. Users of a handle count themselves out with a subtraction and a later look at the rest.
// Shown by: both users subtract before either looks, so both see zero and close.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::atomic<int> users{2};
  std::atomic<bool> open{true};
  auto leave = [&] {
    users.fetch_sub(1);
    if (users.load() == 0) {
      assert(open.exchange(false));
    }
  };
  std::thread first(leave);
  std::thread second(leave);
  first.join();
  second.join();
}
