// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// The pointer to the object is published before its field is set.
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
    mailbox.store(&message);
    message.length.store(5);
  });
  std::thread receiver([&] {
    if (Message* received = mailbox.load()) assert(received->length.load() == 5);
  });
  sender.join();
  receiver.join();
}
