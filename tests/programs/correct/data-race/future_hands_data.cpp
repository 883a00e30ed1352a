// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: making the shared state ready synchronises with the return of every wait on it.
#include <cassert>
#include <future>
#include <thread>
#include <vector>

static int data = 0;

int main() {
  std::promise<std::vector<int>> written;
  std::shared_future<std::vector<int>> ready = written.get_future().share();
  std::thread writer([&] {
    data = 42;
    written.set_value({1, 2, 3});
  });
  std::thread reader([ready] { assert(ready.get().size() == 3 && data == 42); });
  assert(ready.get()[2] == 3 && data == 42);
  writer.join();
  reader.join();
}
