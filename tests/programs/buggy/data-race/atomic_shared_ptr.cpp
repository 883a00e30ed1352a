// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: one side uses the atomic functions for shared_ptr, the other touches the same shared_ptr plainly.
#include <memory>
#include <thread>

static std::shared_ptr<int> current = std::make_shared<int>(1);

int main() {
  std::thread replacer([] { std::atomic_store(&current, std::make_shared<int>(2)); });
  std::thread reader([] {
    bool empty = current == nullptr;
    (void)empty;
  });
  replacer.join();
  reader.join();
}
