// SPDX-License-Identifier: Apache-2.0
// A sorted list with a lock per node. The walk lets go of a node before it locks the next one, so the next one can be
// unlinked in between, and what is then inserted behind it is lost. Hand over hand would be: lock the next one first.
// FINDING: assertion
#include <cassert>
#include <climits>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

class SortedList {
 public:
  SortedList() {
    head_ = std::make_shared<Node>(INT_MIN);
    head_->next = std::make_shared<Node>(INT_MAX);
  }

  bool insert(int key) {
    auto [before, lock] = find_locked(key);
    if (before->next->key == key) return false;
    auto node = std::make_shared<Node>(key);
    node->next = before->next;
    before->next = std::move(node);
    return true;
  }

  bool remove(int key) {
    auto [before, lock] = find_locked(key);
    if (before->next->key != key) return false;
    const std::shared_ptr<Node> gone = before->next;
    std::lock_guard inner(gone->mutex);
    before->next = gone->next;  // CAUSE: second
    return true;
  }

  bool contains(int key) {
    auto [before, lock] = find_locked(key);
    return before->next->key == key;
  }

  std::vector<int> keys() {
    std::vector<int> result;
    std::shared_ptr<Node> node = head_;
    std::unique_lock lock(node->mutex);
    while (node->next->key != INT_MAX) {
      std::shared_ptr<Node> next = node->next;
      std::unique_lock next_lock(next->mutex);
      lock = std::move(next_lock);
      node = std::move(next);
      result.push_back(node->key);
    }
    return result;
  }

 private:
  struct Node {
    explicit Node(int k) : key(k) {}
    const int key;
    std::mutex mutex;
    std::shared_ptr<Node> next;
  };

  struct Position {
    std::shared_ptr<Node> before;
    std::unique_lock<std::mutex> lock;
  };

  // The last node whose key is smaller, locked.
  Position find_locked(int key) {
    std::shared_ptr<Node> before = head_;
    std::unique_lock lock(before->mutex);
    while (before->next->key < key) {
      std::shared_ptr<Node> next = before->next;  // CAUSE: first
      lock.unlock();
      lock = std::unique_lock(next->mutex);
      before = std::move(next);
    }
    return {std::move(before), std::move(lock)};
  }

  std::shared_ptr<Node> head_;
};

int main() {
  SortedList list;
  for (const int key : {10, 20, 40}) assert(list.insert(key));

  std::thread remover([&list] {
    const bool removed = list.remove(20);
    assert(removed);
  });
  std::thread inserter([&list] {
    const bool inserted = list.insert(30);
    assert(inserted);
  });
  remover.join();
  inserter.join();

  assert(!list.contains(20));
  assert(list.contains(30));
  assert((list.keys() == std::vector<int>{10, 30, 40}));
}
