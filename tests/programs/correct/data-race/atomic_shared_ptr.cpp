// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: every access to the shared_ptr itself goes through the atomic functions.
#include <cassert>
#include <memory>
#include <thread>

static std::shared_ptr<int> current = std::make_shared<int>(1);

int main() {
  std::thread replacer([] { std::atomic_store(&current, std::make_shared<int>(2)); });
  std::thread reader([] {
    std::shared_ptr<int> seen = std::atomic_load(&current);
    assert(*seen == 1 || *seen == 2);
  });
  replacer.join();
  reader.join();
  assert(*current == 2);
}
