// SPDX-License-Identifier: Apache-2.0
// The consumer uses `if` where it needs `while`: a spurious wake-up, or another consumer that was faster, leaves it
// with nothing.
// FINDING: assertion
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

class Tickets {
 public:
  void add(int ticket) {
    std::lock_guard lock(mutex_);
    tickets_.push_back(ticket);
    added_.notify_one();
  }
  int take() {
    std::unique_lock lock(mutex_);
    if (tickets_.empty()) added_.wait(lock);  // CAUSE: first, second
    assert(!tickets_.empty());                // CAUSE: second
    const int ticket = tickets_.front();
    tickets_.pop_front();  // CAUSE: first
    return ticket;
  }

 private:
  std::mutex mutex_;
  std::condition_variable added_;
  std::deque<int> tickets_;
};

int main() {
  Tickets tickets;
  std::thread one([&] { tickets.take(); });
  std::thread two([&] { tickets.take(); });
  tickets.add(1);
  tickets.add(2);
  one.join();
  two.join();
}
