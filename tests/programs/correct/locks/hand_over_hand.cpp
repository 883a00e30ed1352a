// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Hand-over-hand locking of a sorted list: every task holds at most two neighbouring locks, always in list order.
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

struct Node {
  explicit Node(int v) : value(v) {}
  int value;
  std::unique_ptr<Node> next;
  std::mutex mutex;
};

class SortedList {
 public:
  void insert(int value) {
    std::unique_lock before_lock(head_.mutex);
    Node* before = &head_;
    while (before->next) {
      std::unique_lock after_lock(before->next->mutex);
      if (before->next->value > value) {
        after_lock.unlock();
        break;
      }
      before = before->next.get();
      before_lock.swap(after_lock);  // the old lock is released at the end of this round, the new one kept
    }
    auto fresh = std::make_unique<Node>(value);
    fresh->next = std::move(before->next);
    before->next = std::move(fresh);
  }

  bool sorted_with(int count) {
    int seen = 0;
    for (Node* node = head_.next.get(); node != nullptr; node = node->next.get()) {
      ++seen;
      if (node->next && node->next->value < node->value) return false;
    }
    return seen == count;
  }

 private:
  Node head_{-1};
};

int main() {
  SortedList list;
  std::thread odd([&] {
    for (int v : {5, 1, 3}) list.insert(v);
  });
  std::thread even([&] {
    for (int v : {2, 6, 4}) list.insert(v);
  });
  odd.join();
  even.join();
  assert(list.sorted_with(6));
}
