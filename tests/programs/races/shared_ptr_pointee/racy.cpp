// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: two tasks own the object through their own shared_ptr, which makes its life safe, not its contents.
#include <memory>
#include <thread>

int main() {
  auto total = std::make_shared<int>(0);
  auto add = [](std::shared_ptr<int> mine) { *mine += 1; };
  std::thread first(add, total);
  std::thread second(add, total);
  first.join();
  second.join();
}
