// SPDX-License-Identifier: Apache-2.0
// A session is destroyed when its last request has said that it is done; it says so while it still holds the
// session's lock.
// FINDING: lock-misuse, use-after-free
#include <memory>
#include <mutex>
#include <semaphore>
#include <thread>

class Session {
 public:
  explicit Session(std::binary_semaphore& done) : done_(done) {}
  void request() {
    std::lock_guard lock(mutex_);
    ++requests_;
    done_.release();
  }  // CAUSE: second

 private:
  std::binary_semaphore& done_;
  std::mutex mutex_;
  int requests_ = 0;
};

int main() {
  std::binary_semaphore done(0);
  auto session = std::make_unique<Session>(done);
  std::thread client([pointer = session.get()] { pointer->request(); });
  done.acquire();
  session.reset();  // CAUSE: first
  client.join();
}
