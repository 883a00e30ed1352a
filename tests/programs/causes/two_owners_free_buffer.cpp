// SPDX-License-Identifier: Apache-2.0
// A raw buffer that sender and receiver both free when they see that the other is done.
// FINDING: double-free
#include <atomic>
#include <thread>

class Packet {
 public:
  void finish_sending() {
    sent_.store(true);                // CAUSE: first
    if (received_.load()) release();  // CAUSE: second
  }
  void finish_receiving() {
    received_.store(true);        // CAUSE: first
    if (sent_.load()) release();  // CAUSE: second
  }

 private:
  void release() { delete[] bytes_; }

  char* const bytes_ = new char[64]();
  std::atomic<bool> sent_{false};
  std::atomic<bool> received_{false};
};

int main() {
  Packet packet;
  std::thread sender([&] { packet.finish_sending(); });
  std::thread receiver([&] { packet.finish_receiving(); });
  sender.join();
  receiver.join();
}
