// SPDX-License-Identifier: Apache-2.0
// A double-entry book: debit and credit are two critical sections, and the auditor who looks between them aborts the
// program.
// FINDING: abort
#include <cstdlib>
#include <mutex>
#include <thread>

class Book {
 public:
  void move(long amount) {
    {
      std::lock_guard lock(mutex_);
      assets_ -= amount;  // CAUSE: first
    }
    std::lock_guard lock(mutex_);
    expenses_ += amount;  // CAUSE: second
  }
  void audit() const {
    std::lock_guard lock(mutex_);
    if (assets_ + expenses_ != 100) std::abort();  // CAUSE: first, second
  }

 private:
  mutable std::mutex mutex_;
  long assets_ = 100;
  long expenses_ = 0;
};

int main() {
  Book book;
  std::thread clerk([&] { book.move(30); });
  std::thread auditor([&] { book.audit(); });
  clerk.join();
  auditor.join();
}
