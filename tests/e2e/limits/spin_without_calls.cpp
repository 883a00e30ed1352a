// SPDX-License-Identifier: Apache-2.0
// A correct program that spins on an atomic and calls nothing. In a plain build Ravel sees no operation in the loop and
// makes the task give way after a while. Built by `ravel c++` the loads are seen, and nothing is slow.
#include <atomic>
#include <thread>

std::atomic<bool> ready = false;

int main() {
  std::thread waiting([] {
    while (!ready) {
    }
  });
  std::thread setting([] { ready = true; });
  waiting.join();
  setting.join();
}
