// SPDX-License-Identifier: Apache-2.0
// A call to another service completes with its answer or with a time-out. Both look whether the call is done, and
// both can find that it is not: the promise is set twice.
// FINDING: uncaught-exception
#include <atomic>
#include <cassert>
#include <chrono>
#include <cstdint>
#include <exception>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

using namespace std::chrono_literals;

class PendingCall {
 public:
  std::future<std::string> future() { return promise_.get_future(); }

  void answer(std::string text) {
    if (done_.load()) return;  // CAUSE: first
    done_.store(true);         // CAUSE: second
    promise_.set_value(std::move(text));
  }

  void time_out() {
    if (done_.load()) return;  // CAUSE: first
    done_.store(true);         // CAUSE: second
    promise_.set_value("timed out");
  }

 private:
  std::atomic<bool> done_{false};
  std::promise<std::string> promise_;
};

class Channel {
 public:
  std::pair<std::uint64_t, std::shared_ptr<PendingCall>> begin() {
    std::lock_guard lock(mutex_);
    auto call = std::make_shared<PendingCall>();
    calls_.emplace(++last_, call);
    return {last_, std::move(call)};
  }

  std::shared_ptr<PendingCall> find(std::uint64_t id) const {
    std::lock_guard lock(mutex_);
    const auto found = calls_.find(id);
    return found == calls_.end() ? nullptr : found->second;
  }

  void end(std::uint64_t id) {
    std::lock_guard lock(mutex_);
    calls_.erase(id);
  }

  bool idle() const {
    std::lock_guard lock(mutex_);
    return calls_.empty();
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::uint64_t, std::shared_ptr<PendingCall>> calls_;
  std::uint64_t last_ = 0;
};

class Client {
 public:
  explicit Client(Channel& channel) : channel_(channel) {}

  std::string call() {
    auto [id, pending] = channel_.begin();
    std::future<std::string> future = pending->future();
    std::thread network([this, id = id] {
      if (auto found = channel_.find(id)) found->answer("pong");
    });
    std::thread watchdog([call = pending] {
      std::this_thread::sleep_for(10ms);
      call->time_out();
    });
    std::string result = future.get();
    network.join();
    watchdog.join();
    channel_.end(id);
    return result;
  }

 private:
  Channel& channel_;
};

int main() {
  Channel channel;
  Client client(channel);
  const std::string result = client.call();
  assert(result == "pong" || result == "timed out");
  assert(channel.idle());
}
