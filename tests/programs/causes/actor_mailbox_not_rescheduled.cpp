// SPDX-License-Identifier: Apache-2.0
// Actors on a small executor. An actor that has worked off its mailbox clears `scheduled_` only after it has seen
// that the mailbox is empty. A message that arrives between the look and the clearing schedules nothing, and is never
// handled. After a defect that several actor libraries had in their early versions.
// FINDING: deadlock, lost-wakeup
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

class Executor {
 public:
  Executor() : thread_([this] { run(); }) {}
  ~Executor() {
    execute(nullptr);
    thread_.join();
  }

  void execute(std::function<void()> work) {
    {
      std::lock_guard lock(mutex_);
      work_.push_back(std::move(work));
    }
    wake_.notify_one();
  }

 private:
  void run() {
    for (;;) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return !work_.empty(); });
      const std::function<void()> work = std::move(work_.front());
      work_.pop_front();
      lock.unlock();
      if (!work) return;
      work();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> work_;
  std::thread thread_;
};

struct Deposit {
  int amount = 0;
  std::promise<int>* answer = nullptr;
};

class AccountActor {
 public:
  explicit AccountActor(Executor& executor) : executor_(executor) {}

  void tell(Deposit message) {
    {
      std::lock_guard lock(mutex_);
      mailbox_.push_back(message);  // CAUSE: second
    }
    if (!scheduled_.exchange(true)) executor_.execute([this] { process(); });  // CAUSE: second
  }

 private:
  std::optional<Deposit> next() {
    std::lock_guard lock(mutex_);
    if (mailbox_.empty()) return std::nullopt;  // CAUSE: first
    Deposit message = mailbox_.front();
    mailbox_.pop_front();
    return message;
  }

  void process() {
    while (std::optional<Deposit> message = next()) handle(*message);
    scheduled_.store(false);
  }

  void handle(const Deposit& deposit) {
    balance_ += deposit.amount;
    deposit.answer->set_value(balance_);
  }

  Executor& executor_;
  std::mutex mutex_;
  std::deque<Deposit> mailbox_;
  std::atomic<bool> scheduled_{false};
  int balance_ = 0;
};

int main() {
  Executor executor;
  AccountActor account(executor);
  int balance = 0;
  for (const int amount : {5, 7}) {
    std::promise<int> answer;
    std::future<int> future = answer.get_future();
    account.tell({amount, &answer});
    balance = future.get();
  }
  assert(balance == 12);
}
