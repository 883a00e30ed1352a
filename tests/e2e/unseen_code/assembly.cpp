// SPDX-License-Identifier: Apache-2.0
// A lock in assembly: taken by a locked instruction, given back by a store that nobody sees.
#include <cassert>
#include <thread>

#include "racing.h"

class SpinLock {
 public:
  void lock() {
    int taken = 1;
    do {
      taken = 1;
      asm volatile("xchgl %0, %1" : "+r"(taken), "+m"(word_) : : "memory");
    } while (taken != 0);
  }
  void unlock() { asm volatile("movl $0, %0" : "=m"(word_) : : "memory"); }

 private:
  int word_ = 0;
};

namespace {

SpinLock lock;
int shared = 0;

void work() {
  for (int i = 0; i < 3; ++i) {
    lock.lock();
    ++shared;
    lock.unlock();
    visit();
  }
}

}  // namespace

int main(int argument_count, char**) {
  racing = argument_count > 1;
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  assert(shared == 6);
}
