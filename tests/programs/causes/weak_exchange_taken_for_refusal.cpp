// SPDX-License-Identifier: Apache-2.0
// A slot is claimed with compare_exchange_weak and no loop: a failure without a reason is taken for "somebody else
// has it".
// FINDING: assertion
#include <atomic>
#include <cassert>
#include <thread>

class Slot {
 public:
  bool claim(int owner) {
    int nobody = 0;
    return owner_.compare_exchange_weak(nobody, owner);  // CAUSE: first, second
  }

 private:
  std::atomic<int> owner_{0};
};

int main() {
  Slot slot;
  bool one = false;
  bool two = false;
  std::thread a([&] { one = slot.claim(1); });
  std::thread b([&] { two = slot.claim(2); });
  a.join();
  b.join();
  assert(one != two);
}
