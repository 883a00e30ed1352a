// SPDX-License-Identifier: Apache-2.0
// The order of seq_cst operations. The relaxed flag orders nothing, so C++ lets the load of `data` come before its
// store in the one order S of seq_cst operations, although the flag was seen. Under Ravel S is the order in which the
// operations are performed, and this assertion holds. It may fail outside: nothing but seq_cst accesses orders here.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> data = 0;
std::atomic<int> flag = 0;

int main() {
  std::thread first([] {
    data.store(1, std::memory_order_seq_cst);
    flag.store(1, std::memory_order_relaxed);
  });
  std::thread second([] {
    if (flag.load(std::memory_order_relaxed) == 1) assert(data.load(std::memory_order_seq_cst) == 1);
  });
  first.join();
  second.join();
}
