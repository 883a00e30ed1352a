// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: two tasks own the object through their own shared_ptr, which makes its life safe, not its contents.
#include <memory>
#include <thread>
#include <utility>

int main() {
  auto total = std::make_shared<int>(0);
  auto add = [](std::shared_ptr<int> mine) { *mine += 1; };
  // Copied beforehand: a copy made later could be ordered, through the count, after the drop of the first task.
  std::shared_ptr<int> copy = total;
  std::thread first(add, std::move(total));
  std::thread second(add, std::move(copy));
  first.join();
  second.join();
}
