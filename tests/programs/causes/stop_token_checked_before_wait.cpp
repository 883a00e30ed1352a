// SPDX-License-Identifier: Apache-2.0
// A worker of a build farm that is stopped by a stop_token. It looks at the token, then waits without a predicate on
// a plain condition variable. The stop request notifies without the lock, between the look and the wait: nobody wakes
// the worker.
// FINDING: lost-wakeup, deadlock
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <latch>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

struct Target {
  std::string name;
  std::vector<std::string> inputs;
};

class Report {
 public:
  void built(const Target& target) {
    std::lock_guard lock(mutex_);
    inputs_[target.name] = target.inputs.size();
  }
  bool has(const std::string& name) const {
    std::lock_guard lock(mutex_);
    return inputs_.contains(name);
  }
  std::size_t count() const {
    std::lock_guard lock(mutex_);
    return inputs_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::size_t> inputs_;
};

class Builder {
 public:
  explicit Builder(Report& report) : report_(report), thread_([this](std::stop_token token) { work(token); }) {}

  ~Builder() {
    thread_.request_stop();
    wake_.notify_all();  // CAUSE: first
  }

  void build(Target target) {
    {
      std::lock_guard lock(mutex_);
      targets_.push_back(std::move(target));
    }
    wake_.notify_one();
  }

  void wait_until_idle() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return targets_.empty() && !busy_; });
  }

 private:
  void work(const std::stop_token& token) {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (targets_.empty()) {
        if (token.stop_requested()) return;
        wake_.wait(lock);  // CAUSE: second
        continue;
      }
      const Target target = std::move(targets_.front());
      targets_.pop_front();
      busy_ = true;
      lock.unlock();
      report_.built(target);
      lock.lock();
      busy_ = false;
      idle_.notify_all();
    }
  }

  Report& report_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  std::deque<Target> targets_;
  bool busy_ = false;
  std::jthread thread_;
};

int main() {
  Report report;
  {
    Builder builder(report);
    builder.build({"parser.o", {"parser.cpp", "parser.h"}});
    builder.build({"lexer.o", {"lexer.cpp"}});
    builder.wait_until_idle();
  }
  assert(report.count() == 2);
  assert(report.has("lexer.o"));
}
