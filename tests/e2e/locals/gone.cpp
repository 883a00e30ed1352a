// SPDX-License-Identifier: Apache-2.0
// `value` lies where `seed` did when the task was created: that call is over, and its names must not be used.
#include <atomic>
#include <cstring>
#include <thread>

static std::atomic<int*> handed{nullptr};
static std::thread worker;

[[gnu::noinline]] static void start() {
  char seed[1024];
  std::memset(seed, 1, sizeof seed);
  worker = std::thread([first = seed[0]] {
    while (handed.load() == nullptr) std::this_thread::yield();
    *handed.load() += first;
  });
}

[[gnu::noinline]] static void use() {
  int value[64] = {};
  handed.store(value);
  value[0] = 2;
  worker.join();
}

int main() {
  start();
  use();
}
