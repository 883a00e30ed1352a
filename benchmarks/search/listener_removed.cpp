// SPDX-License-Identifier: Apache-2.0
// Listener removed during notification. The notifier copies the number of listeners and calls them one by one, each
// under the lock; a removal moves the last listener into the gap.
// Shown by: the removal happens after the copy and before the notifier reaches the end.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

class Subject {
 public:
  void notify() {
    std::size_t count = 0;
    {
      std::lock_guard lock(mutex_);
      count = listeners_.size();
    }
    for (std::size_t i = 0; i < count; ++i) {
      std::lock_guard lock(mutex_);
      assert(i < listeners_.size());
      ++*listeners_[i];
    }
  }

  void add(int* listener) {
    std::lock_guard lock(mutex_);
    listeners_.push_back(listener);
  }

  void remove(std::size_t index) {
    std::lock_guard lock(mutex_);
    if (index < listeners_.size()) {
      listeners_[index] = listeners_.back();
      listeners_.pop_back();
    }
  }

 private:
  std::mutex mutex_;
  std::vector<int*> listeners_;
};

int main() {
  Subject subject;
  int calls[3] = {};
  for (int& call : calls) {
    subject.add(&call);
  }
  std::thread notifier([&] { subject.notify(); });
  std::thread remover([&] { subject.remove(0); });
  notifier.join();
  remover.join();
}
