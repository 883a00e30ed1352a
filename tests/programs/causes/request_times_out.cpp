// SPDX-License-Identifier: Apache-2.0
// A test waits 50 ms for an answer that takes 10 ms and asserts that it came. Nothing keeps the answering thread from
// being late.
// FINDING: assertion
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

using namespace std::chrono_literals;

class Reply {
 public:
  void set(std::string text) {
    std::lock_guard lock(mutex_);
    text_ = std::move(text);  // CAUSE: second
    changed_.notify_one();    // CAUSE: second
  }
  std::optional<std::string> wait(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, limit, [this] { return text_.has_value(); });  // CAUSE: first
    return text_;                                                          // CAUSE: first
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<std::string> text_;
};

int main() {
  Reply reply;
  std::thread server([&] {
    std::this_thread::sleep_for(10ms);
    reply.set("pong");
  });
  const std::optional<std::string> answer = reply.wait(50ms);
  assert(answer == "pong");
  server.join();
}
