// SPDX-License-Identifier: Apache-2.0
// Four threads insert into, look up in and erase from one map under one mutex.
#include <map>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  std::mutex mutex;
  std::map<int, long> map;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      unsigned state = 12345u + static_cast<unsigned>(t);
      for (int i = 0; i < 10000; ++i) {
        state = state * 1664525u + 1013904223u;
        const int key = static_cast<int>((state >> 16) % 1000);
        const std::lock_guard guard(mutex);
        if (i % 3 == 0) {
          map[key] += i;
        } else if (i % 3 == 1) {
          if (const auto found = map.find(key); found != map.end()) found->second ^= i;
        } else {
          map.erase(key);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}
