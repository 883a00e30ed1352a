// SPDX-License-Identifier: Apache-2.0
// Work-stealing deque. The owner takes the last task without competing for it.
// Shown by: a thief has read both ends and the task; the owner takes the same, last task; the thief's swap succeeds.
#include <array>
#include <atomic>
#include <cassert>
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
    bottom_.store(bottom);
    if (top_.load() > bottom) {
      bottom_.store(bottom + 1);
      return -1;
    }
    return tasks_[bottom].load();  // the bug: at top == bottom this needs the thieves' compare-and-swap
  }

  int steal() {
    int top = top_.load();
    if (top >= bottom_.load()) {
      return -1;
    }
    const int task = tasks_[top].load();
    return top_.compare_exchange_strong(top, top + 1) ? task : -1;
  }

 private:
  std::atomic<int> top_{0};
  std::atomic<int> bottom_{0};
  std::array<std::atomic<int>, 8> tasks_{};
};

int main() {
  Deque deque;
  std::array<std::atomic<int>, 3> done{};
  auto run = [&](int task) {
    if (task >= 0) {
      assert(done[task].fetch_add(1) == 0);
    }
  };
  std::thread thief([&] {
    run(deque.steal());
    run(deque.steal());
  });
  for (int task = 0; task < 3; ++task) {
    deque.push(task);
  }
  for (int i = 0; i < 3; ++i) {
    run(deque.pop());
  }
  thief.join();
}
