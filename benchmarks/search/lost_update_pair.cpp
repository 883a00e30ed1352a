// SPDX-License-Identifier: Apache-2.0
// Lost update of one field of a pair. Each thread owns a half of a packed word, and keeps the other half as it loaded
// it; only when both halves are then lost at once does the check, which forgives one stale half, fail.
// Shown by: each thread stores a half of the other one that it loaded before the other one changed it.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

int main() {
  std::atomic<std::uint32_t> word{0};
  std::atomic<int> lost{0};
  auto work = [&](unsigned shift) {
    for (int round = 0; round < 2; ++round) {
      const std::uint32_t seen = word.load();
      const std::uint32_t other = seen & ~(0xffffu << shift);
      word.store(other | ((((seen >> shift) & 0xffffu) + 1) << shift));
    }
    if (((word.load() >> shift) & 0xffffu) < 2) {
      lost.fetch_add(1);
    }
  };
  std::thread low(work, 0);
  std::thread high(work, 16);
  low.join();
  high.join();
  assert(lost < 2);
}
