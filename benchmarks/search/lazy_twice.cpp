// SPDX-License-Identifier: Apache-2.0
// Lazy initialisation without a lock. Whoever finds no instance makes one; users must agree on one.
// Shown by: two users find none; the first one also uses its own before the second one replaces it.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

int main() {
  std::atomic<int*> instance{nullptr};
  std::unique_ptr<int> made[2];
  int* used[2] = {};
  auto user = [&](int me) {
    if (instance.load() == nullptr) {
      made[me] = std::make_unique<int>(me);
      instance.store(made[me].get());
    }
    used[me] = instance.load();
  };
  std::thread first(user, 0);
  std::thread second(user, 1);
  first.join();
  second.join();
  assert(used[0] == used[1]);
}
