// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Workers go on until they are told to stop, after some time: it passes although they could always run.
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::mutex mutex;
  bool stop = false;
  int rounds = 0;
  auto work = [&] {
    for (;;) {
      const std::lock_guard<std::mutex> lock(mutex);
      assert(++rounds < 100'000);
      if (stop) return;
    }
  };
  std::thread first(work);
  std::thread second(work);
  std::this_thread::sleep_for(200ms);
  {
    const std::lock_guard<std::mutex> lock(mutex);
    stop = true;
  }
  first.join();
  second.join();
}
