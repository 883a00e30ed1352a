// SPDX-License-Identifier: Apache-2.0
// A bug that needs five preemptions, under locks. A bidder and a rival raise an offer in turn; only when each of five
// offers is answered at once does the price go over the limit, since both give up when they lead already.
// Shown by: after every offer the other thread runs, five times in a row.
#include <cassert>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  int price = 0;
  int leader = -1;
  auto bid = [&](int me) {
    for (int round = 0; round < 3; ++round) {
      std::lock_guard lock(mutex);
      if (leader == me) {
        return;
      }
      leader = me;
      ++price;
      assert(price < 6);
    }
  };
  std::thread bidder(bid, 0);
  std::thread rival(bid, 1);
  bidder.join();
  rival.join();
}
