// SPDX-License-Identifier: Apache-2.0
// A row of a result is allocated, announced by its number, and then written. A reader that comes in between reads
// what was in the memory before.
// FINDING: uninitialised-read
// OPTIONS: --uninitialised
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>

struct Row {
  int values[4];
};

class ResultSet {
 public:
  void add(int value) {
    {
      std::lock_guard lock(mutex_);
      rows_ = static_cast<Row*>(std::malloc(sizeof(Row)));
      count_ = 1;  // CAUSE: first
    }
    std::lock_guard lock(mutex_);
    for (int& cell : rows_->values) cell = value;  // CAUSE: second
  }
  int first() const {
    std::lock_guard lock(mutex_);
    return count_ == 0 ? 0 : rows_->values[0];  // CAUSE: first, second
  }
  ~ResultSet() { std::free(rows_); }

 private:
  mutable std::mutex mutex_;
  Row* rows_ = nullptr;
  int count_ = 0;
};

int main() {
  ResultSet result;
  std::thread query([&] { result.add(5); });
  const int shown = result.first();
  query.join();
  return shown == 7 ? 1 : 0;
}
