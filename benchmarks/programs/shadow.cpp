// SPDX-License-Identifier: Apache-2.0
// Two threads touch so many megabytes, given as argument: half of them byte by byte, half word by word, each thread its
// own part, and all of it once more by the other thread after a hand-over.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

int main(int, char** arguments) {
  const std::size_t bytes = std::strtoul(arguments[1], nullptr, 10) << 20;
  std::vector<unsigned char> small(bytes / 2);
  std::vector<long> large(bytes / 2 / sizeof(long));
  std::mutex mutex;
  auto touch = [&](std::size_t part) {
    for (std::size_t i = part * small.size() / 2; i < (part + 1) * small.size() / 2; ++i) small[i] += 1;
    for (std::size_t i = part * large.size() / 2; i < (part + 1) * large.size() / 2; ++i) large[i] += 1;
  };
  auto run = [&](std::size_t part) {
    const std::lock_guard guard(mutex);
    touch(part);
    touch(1 - part);
  };
  std::thread other([&] { run(1); });
  run(0);
  other.join();
}
