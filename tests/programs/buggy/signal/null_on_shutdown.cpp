// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: signal
// Shutdown clears the pointer between the worker's check and its use.
#include <atomic>
#include <thread>

struct Session {
  int requests = 0;
};

int main() {
  Session session;
  std::atomic<Session*> current{&session};
  std::thread worker([&] {
    if (current.load() != nullptr) current.load()->requests += 1;
  });
  current.store(nullptr);
  worker.join();
}
