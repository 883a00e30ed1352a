// SPDX-License-Identifier: Apache-2.0
// Wrong lock in a striped table. Moving a key locks the stripe it comes from, not the one it goes to.
// Shown by: an insertion into the target stripe happens between the mover's read of its fill and its write.
#include <array>
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Stripe {
  std::mutex mutex;
  std::atomic<int> fill{0};
};

int main() {
  std::array<Stripe, 4> stripes;
  std::atomic<int> keys{0};
  auto insert = [&](int stripe) {
    std::lock_guard lock(stripes[stripe].mutex);
    stripes[stripe].fill.store(stripes[stripe].fill.load() + 1);
    keys.fetch_add(1);
  };
  auto move = [&](int from, int to) {
    std::lock_guard lock(stripes[from].mutex);
    if (stripes[from].fill.load() > 0) {
      stripes[from].fill.store(stripes[from].fill.load() - 1);
      stripes[to].fill.store(stripes[to].fill.load() + 1);
    }
  };
  std::thread writer([&] {
    for (int stripe = 0; stripe < 4; ++stripe) {
      insert(stripe);
    }
  });
  std::thread mover([&] {
    move(0, 3);
    move(1, 2);
  });
  writer.join();
  mover.join();
  int total = 0;
  for (Stripe& stripe : stripes) {
    total += stripe.fill.load();
  }
  assert(total == keys.load());
}
