// SPDX-License-Identifier: Apache-2.0
// Work-stealing deque with two thieves. Thieves exclude each other by a lock, but the owner, who takes from the other
// end, looks at the top first and moves the bottom after that.
// Shown by: the owner has looked when thieves take what is left; the owner takes the last task once more.
#include <array>
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class Deque {
 public:
  void push(int task) {
    const int bottom = bottom_.load();
    tasks_[bottom].store(task);
    bottom_.store(bottom + 1);
  }

  int pop() {
    const int bottom = bottom_.load() - 1;
    const int top = top_.load();
    if (top > bottom) {
      return -1;
    }
    bottom_.store(bottom);
    return tasks_[bottom].load();
  }

  int steal() {
    std::lock_guard lock(thieves_);
    const int top = top_.load();
    if (top >= bottom_.load()) {
      return -1;
    }
    top_.store(top + 1);
    return tasks_[top].load();
  }

 private:
  std::mutex thieves_;
  std::atomic<int> top_{0};
  std::atomic<int> bottom_{0};
  std::array<std::atomic<int>, 8> tasks_{};
};

int main() {
  Deque deque;
  std::array<std::atomic<int>, 4> done{};
  auto run = [&](int task) {
    if (task >= 0) {
      assert(done[task].fetch_add(1) == 0);
    }
  };
  for (int task = 0; task < 4; ++task) {
    deque.push(task);
  }
  std::thread thieves[2];
  for (std::thread& thief : thieves) {
    thief = std::thread([&] { run(deque.steal()); });
  }
  for (int i = 0; i < 4; ++i) {
    run(deque.pop());
  }
  for (std::thread& thief : thieves) {
    thief.join();
  }
}
