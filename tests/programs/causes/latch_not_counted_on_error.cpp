// SPDX-License-Identifier: Apache-2.0
// Each worker counts a latch down when its part is loaded; a worker that finds the shared source already closed
// returns early and does not, and main waits for ever.
// FINDING: deadlock, lost-wakeup
#include <latch>
#include <mutex>
#include <optional>
#include <thread>

class Source {
 public:
  std::optional<int> read() {
    std::lock_guard lock(mutex_);
    if (closed_) return std::nullopt;  // CAUSE: second
    return 1;
  }
  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;  // CAUSE: first
  }

 private:
  std::mutex mutex_;
  bool closed_ = false;
};

int main() {
  Source source;
  std::latch loaded(1);
  std::thread worker([&] {
    if (!source.read()) return;
    loaded.count_down();
  });
  std::thread owner([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    source.close();
  });
  loaded.wait();
  worker.join();
  owner.join();
}
