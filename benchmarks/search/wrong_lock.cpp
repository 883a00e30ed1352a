// SPDX-License-Identifier: Apache-2.0
// Wrong lock among N. Everybody holds the lock while using the buffer, but one thread holds another lock.
// Shown by: that thread comes between the two halves of somebody's update; the others cannot disturb each other.
// SIZES: 3 20
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

int main(int, char** arguments) {
  const int count = std::atoi(arguments[1]);
  std::mutex right;
  std::mutex wrong;
  std::atomic<int> user{-1};
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      std::lock_guard lock(i == count / 2 ? wrong : right);
      user.store(i);
      assert(user.load() == i);
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
}
