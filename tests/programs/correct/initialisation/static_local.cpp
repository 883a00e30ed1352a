// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// A function-local static is built once even when several tasks come at the same time, and again after a throw.
// (The guard of g++ 12's thread sanitizer can hang after a throw; the plain one does not.)
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread>
#include <vector>

static std::atomic<int> attempts{0};

static int measure() {
  if (attempts.fetch_add(1) == 0) throw std::runtime_error("first attempt fails");
  return 16;
}

struct Table {
  int size = measure();
};

static Table& table() {
  static Table instance;
  return instance;
}

int main() {
  std::atomic<int> failures{0};
  std::vector<std::thread> tasks;
  for (int i = 0; i < 3; ++i) {
    tasks.emplace_back([&] {
      try {
        assert(table().size == 16);
      } catch (const std::runtime_error&) {
        failures.fetch_add(1);
      }
    });
  }
  for (auto& task : tasks) task.join();
  assert(attempts.load() == 2 && failures.load() == 1);
}
