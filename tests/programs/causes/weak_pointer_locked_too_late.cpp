// SPDX-License-Identifier: Apache-2.0
// A callback makes a shared_ptr of its weak_ptr after the last owner has let go: bad_weak_ptr.
// FINDING: uncaught-exception, use-after-free
#include <atomic>
#include <memory>
#include <thread>

class Download {
 public:
  void progress(int percent) {
    percent_.store(percent);
    if (percent == 100) finished_ = true;
  }
  bool finished() const { return finished_.load(); }

 private:
  std::atomic<int> percent_{0};
  std::atomic<bool> finished_{false};
};

int main() {
  auto download = std::make_shared<Download>();
  const std::weak_ptr<Download> observed = download;
  std::thread network([&observed] {
    const std::shared_ptr<Download> self(observed);  // CAUSE: second
    self->progress(100);
  });
  std::thread user([&download] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    download.reset();  // CAUSE: first
  });
  network.join();
  user.join();
}
