// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: each task has its own copy of the shared_ptr; copies may be made, replaced and dropped without a lock.
#include <cassert>
#include <memory>
#include <thread>

int main() {
  auto value = std::make_shared<int>(1);
  std::thread replacer([mine = value]() mutable {
    mine = std::make_shared<int>(2);
    assert(*mine == 2);
  });
  std::thread reader([mine = value] {
    std::shared_ptr<int> another = mine;
    assert(*another == 1);
  });
  value.reset();
  replacer.join();
  reader.join();
}
