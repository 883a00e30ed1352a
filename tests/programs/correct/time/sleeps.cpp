// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// A sleep takes at least as long as asked, on every clock the program can look at.
#include <time.h>
#include <unistd.h>

#include <cassert>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;

int main() {
  auto nap = [](auto duration) {
    const auto start = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(duration);
    assert(std::chrono::steady_clock::now() - start >= duration);
  };
  std::thread first(nap, 500us);
  std::thread second([&] {
    nap(300us);
    usleep(100);
    std::this_thread::sleep_until(std::chrono::steady_clock::now() + 100us);
  });
  const time_t before = time(nullptr);
  nap(1ms);
  assert(time(nullptr) >= before);
  first.join();
  second.join();
}
