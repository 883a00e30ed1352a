// SPDX-License-Identifier: Apache-2.0
// A bounded mailbox of capacity one with a single condition variable for senders and receivers, and notify_one. A
// notification that was meant for a receiver can wake another sender, which waits again, and everybody waits for
// ever.
// FINDING: deadlock, lost-wakeup
#include <cassert>
#include <condition_variable>
#include <deque>
#include <latch>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

struct Message {
  int sender = 0;
  int number = 0;
  std::string body;
};

class Mailbox {
 public:
  explicit Mailbox(std::size_t capacity) : capacity_(capacity) {}

  void send(Message message) {
    std::unique_lock lock(mutex_);
    while (messages_.size() == capacity_) {
      changed_.wait(lock);  // CAUSE: first, second
    }
    messages_.push_back(std::move(message));
    changed_.notify_one();  // CAUSE: first, second
  }

  Message receive() {
    std::unique_lock lock(mutex_);
    while (messages_.empty()) {
      changed_.wait(lock);  // CAUSE: first, second
    }
    Message message = std::move(messages_.front());
    messages_.pop_front();
    changed_.notify_one();  // CAUSE: first, second
    return message;
  }

  std::size_t size() const {
    std::lock_guard lock(mutex_);
    return messages_.size();
  }

 private:
  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Message> messages_;
};

class Statistics {
 public:
  void count(const Message& message) {
    std::lock_guard lock(mutex_);
    received_.push_back(message.number);
  }
  std::size_t received() const {
    std::lock_guard lock(mutex_);
    return received_.size();
  }
  int sum() const {
    std::lock_guard lock(mutex_);
    return std::accumulate(received_.begin(), received_.end(), 0);
  }

 private:
  mutable std::mutex mutex_;
  std::vector<int> received_;
};

int main() {
  constexpr int kSenders = 2;
  constexpr int kReceivers = 2;
  Mailbox mailbox(1);
  Statistics statistics;
  std::vector<std::jthread> threads;
  for (int sender = 0; sender < kSenders; ++sender) {
    threads.emplace_back([&mailbox, sender] {
      const int number = sender + 1;
      mailbox.send({sender, number, "message " + std::to_string(number)});
    });
  }
  for (int receiver = 0; receiver < kReceivers; ++receiver) {
    threads.emplace_back([&mailbox, &statistics] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // it comes up later
      statistics.count(mailbox.receive());
    });
  }
  threads.clear();
  assert(mailbox.size() == 0);
  assert(statistics.received() == kSenders);
  assert(statistics.sum() == 3);
}
