// SPDX-License-Identifier: Apache-2.0
// The data are atomic too, so there is no race; but with a relaxed flag the reader can see the flag and the older
// data.
// FINDING: assertion
#include <atomic>
#include <cassert>
#include <thread>

struct Quote {
  std::atomic<int> price{0};
  std::atomic<bool> valid{false};
};

int main() {
  Quote quote;
  std::thread exchange([&] {
    quote.price.store(101, std::memory_order_relaxed);  // CAUSE: first
    quote.valid.store(true, std::memory_order_relaxed);
  });
  std::thread trader([&] {
    if (!quote.valid.load(std::memory_order_relaxed)) return;
    const int price = quote.price.load(std::memory_order_relaxed);  // CAUSE: second
    assert(price == 101);
  });
  exchange.join();
  trader.join();
}
