// SPDX-License-Identifier: Apache-2.0
// A torrent session starts its event thread before it has created the bandwidth object that the thread's first turn
// uses. After a defect of a file-sharing client.
// FINDING: signal
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct Bandwidth {
  std::atomic<int> limit{100};
};

class Session {
 public:
  Session() {
    events_ = std::thread([this] { turn(); });
    bandwidth_storage_ = std::make_unique<Bandwidth>();
    bandwidth_.store(bandwidth_storage_.get());  // CAUSE: second
  }
  ~Session() { events_.join(); }

 private:
  void turn() {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // until the first event
    Bandwidth* const bandwidth = bandwidth_.load();              // CAUSE: first
    bandwidth->limit.fetch_sub(1);
  }

  std::unique_ptr<Bandwidth> bandwidth_storage_;
  std::atomic<Bandwidth*> bandwidth_{nullptr};
  std::thread events_;
};

int main() { Session session; }
