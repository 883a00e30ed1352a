// SPDX-License-Identifier: Apache-2.0
// A thread fills, copies and clears buffers of its own, so many rounds of 64 MB, given as argument; another one waits
// meanwhile, so that accesses count. Memory is used as a whole, and now and then a byte of it.
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

int main(int, char** arguments) {
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  const int rounds = std::atoi(arguments[1]);
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::thread other([&] { const std::lock_guard guard(mutex); });
  auto* const from = static_cast<unsigned char*>(std::malloc(kBytes));
  auto* const to = static_cast<unsigned char*>(std::malloc(kBytes));
  for (int round = 0; round < rounds; ++round) {
    std::memset(from, round, kBytes);
    from[round * 4099] = 1;
    std::memcpy(to, from, kBytes);
    if (to[round * 4099] != 1) std::abort();
    std::memmove(from, to, kBytes);
  }
  std::free(from);
  std::free(to);
  lock.unlock();
  other.join();
}
