// SPDX-License-Identifier: Apache-2.0
// A semaphore hands a value on, in an object on the heap.
#include <semaphore.h>
#include <cstdio>
#include <thread>

class Exchange {
 public:
  Exchange() { sem_init(&full_, 0, 0); }
  void put(int value) {
    value_ = value;  // [value1]
    sem_post(&full_);
    value_ = 0;  // [value2]
  }
  int take() {
    sem_wait(&full_);
    return value_;  // Exchange::value_ = π value1 value2
  }

 private:
  sem_t full_;
  int value_ = 1;
};

int main() {
  auto* exchange = new Exchange;
  std::thread t([exchange] { exchange->put(2); });
  std::printf("%d\n", exchange->take());
  t.join();
  delete exchange;
}
