// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// STANDARD: c++20
// Broken: the destructor waits for the user of the object only in the base class. By then the object has become a Base:
// its virtual table pointer was written while the other task may be reading it for its call.
#include <semaphore>
#include <thread>

struct Base {
  std::binary_semaphore finished{0};
  virtual ~Base() { finished.acquire(); }
  virtual int answer() { return 1; }
};

struct Derived : Base {
  int answer() override { return 2; }
};

int main() {
  Base* object = new Derived;
  std::thread user([object] {
    volatile int answer = object->answer();
    (void)answer;
    object->finished.release();
  });
  std::thread owner([object] { delete object; });
  owner.join();
  user.join();
}
