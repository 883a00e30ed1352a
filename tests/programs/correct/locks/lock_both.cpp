// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// std::scoped_lock over two mutexes named in opposite order backs off instead of deadlocking.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex a;
static std::mutex b;
static int moved = 0;

int main() {
  std::thread there([] {
    for (int i = 0; i < 3; ++i) {
      std::scoped_lock both(a, b);
      ++moved;
    }
  });
  std::thread back([] {
    for (int i = 0; i < 3; ++i) {
      std::scoped_lock both(b, a);
      --moved;
    }
  });
  there.join();
  back.join();
  assert(moved == 0);
}
