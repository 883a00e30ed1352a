// SPDX-License-Identifier: Apache-2.0
// Atomicity across two lock sections. The taker asks for the size in one section and takes the last element in another.
// Shown by: the clearer empties the list between the two sections.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

class List {
 public:
  std::size_t size() {
    std::lock_guard lock(mutex_);
    return values_.size();
  }

  int take(std::size_t index) {
    std::lock_guard lock(mutex_);
    assert(index < values_.size());
    const int value = values_[index];
    values_.erase(values_.begin() + static_cast<std::ptrdiff_t>(index));
    return value;
  }

  void clear() {
    std::lock_guard lock(mutex_);
    values_.clear();
  }

 private:
  std::mutex mutex_;
  std::vector<int> values_{1, 2, 3};
};

int main() {
  List list;
  std::thread taker([&] {
    for (std::size_t size = list.size(); size > 0; size = list.size()) {
      list.take(size - 1);
    }
  });
  std::thread clearer([&] { list.clear(); });
  taker.join();
  clearer.join();
}
