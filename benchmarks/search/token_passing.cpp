// SPDX-License-Identifier: Apache-2.0
// Token passing. The holder hands the token on and then marks itself idle; the next one may hand it back before that.
// Shown by: the token comes round while a former holder has yet to mark itself idle, which throws the token away:
// everybody waits for ever.
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  constexpr int count = 3;
  std::mutex mutex;
  std::condition_variable moved;
  bool has[count] = {true};
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 3; ++round) {
        {
          std::unique_lock lock(mutex);
          moved.wait(lock, [&] { return has[i]; });
          has[(i + 1) % count] = true;
          moved.notify_all();
        }
        std::lock_guard lock(mutex);
        has[i] = false;
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
}
