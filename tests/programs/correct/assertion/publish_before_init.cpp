// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Repaired: the field is set first.
#include <atomic>
#include <cassert>
#include <thread>

struct Message {
  std::atomic<int> length{0};
};

int main() {
  Message message;
  std::atomic<Message*> mailbox{nullptr};
  std::thread sender([&] {
    message.length.store(5);
    mailbox.store(&message);
  });
  std::thread receiver([&] {
    if (Message* received = mailbox.load()) assert(received->length.load() == 5);
  });
  sender.join();
  receiver.join();
}
