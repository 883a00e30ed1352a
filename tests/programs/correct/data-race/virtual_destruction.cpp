// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// STANDARD: c++20
// Kept: the owner waits for the user before the destruction begins.
#include <cassert>
#include <semaphore>
#include <thread>

struct Base {
  virtual ~Base() = default;
  virtual int answer() { return 1; }
};

struct Derived : Base {
  int answer() override { return 2; }
};

static std::binary_semaphore finished{0};

int main() {
  Base* object = new Derived;
  std::thread user([object] {
    assert(object->answer() == 2);
    finished.release();
  });
  std::thread owner([object] {
    finished.acquire();
    delete object;
  });
  owner.join();
  user.join();
}
