// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: the caller copies the function under the lock and calls the copy.
#include <cassert>
#include <functional>
#include <mutex>
#include <thread>

static int one() { return 1; }
static int two() { return 2; }
static std::mutex guard;
static std::function<int()> callback = one;

int main() {
  std::thread replacer([] {
    std::lock_guard lock(guard);
    callback = two;
  });
  std::thread caller([] {
    std::function<int()> mine;
    {
      std::lock_guard lock(guard);
      mine = callback;
    }
    int result = mine();
    assert(result == 1 || result == 2);
  });
  replacer.join();
  caller.join();
}
