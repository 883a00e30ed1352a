// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: the first check reads a plain pointer outside the lock, against the write under the lock.
#include <mutex>
#include <thread>

struct Config {
  int size = 7;
};

static std::mutex guard;
static Config* config = nullptr;

static Config* instance() {
  if (config == nullptr) {
    std::lock_guard lock(guard);
    if (config == nullptr) config = new Config;
  }
  return config;
}

int main() {
  int sizes[2] = {};
  std::thread first([&] { sizes[0] = instance()->size; });
  std::thread second([&] { sizes[1] = instance()->size; });
  first.join();
  second.join();
  delete config;
}
