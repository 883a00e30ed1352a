// SPDX-License-Identifier: Apache-2.0
// A test of a heartbeat. It sleeps 55 ms and expects that four beats of 5 ms each have been sent by then. Nothing
// makes the sender keep up: on a busy machine the sleep of the test ends before the fourth beat.
// FINDING: assertion
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace std::chrono_literals;

class Transport {
 public:
  virtual ~Transport() = default;
  virtual void send(const std::string& frame) = 0;
};

class RecordingTransport : public Transport {
 public:
  void send(const std::string& frame) override {
    std::lock_guard lock(mutex_);
    frames_.push_back(frame);  // CAUSE: second
  }
  std::vector<std::string> frames() const {
    std::lock_guard lock(mutex_);
    return frames_;  // CAUSE: first
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> frames_;
};

class Heartbeat {
 public:
  Heartbeat(Transport& transport, std::chrono::milliseconds period) : transport_(transport), period_(period) {}
  ~Heartbeat() { stop(); }

  void start() {
    thread_ = std::thread([this] { beat(); });
  }

  void stop() {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

 private:
  void beat() {
    int number = 0;
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, period_, [this] { return stopping_; })) {
      lock.unlock();
      transport_.send("beat " + std::to_string(++number));
      lock.lock();
    }
  }

  Transport& transport_;
  const std::chrono::milliseconds period_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

class Peer {
 public:
  explicit Peer(Transport& transport) : transport_(transport), heartbeat_(transport, 5ms) {}

  void join() {
    transport_.send("hello");
    heartbeat_.start();
  }
  void leave() {
    heartbeat_.stop();
    transport_.send("bye");
  }

 private:
  Transport& transport_;
  Heartbeat heartbeat_;
};

int main() {
  RecordingTransport transport;
  Peer peer(transport);
  peer.join();
  std::this_thread::sleep_for(55ms);  // CAUSE: first
  const std::vector<std::string> frames = transport.frames();
  assert(frames.size() >= 5);
  assert(frames[1] == "beat 1");
  peer.leave();
  assert(transport.frames().back() == "bye");
}
