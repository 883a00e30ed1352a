// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The repaired twin: the reader asks for the pointer in the critical section in which it uses it.
#include <cassert>
#include <mutex>
#include <thread>

struct Session {
  int user = 7;
};

static std::mutex guard;
static Session* session = new Session;

int main() {
  std::thread reader([] {
    for (int i = 0; i < 2; ++i) {
      std::lock_guard lock(guard);
      if (session != nullptr) assert(session->user == 7);
    }
  });
  std::thread owner([] {
    std::lock_guard lock(guard);
    delete session;
    session = nullptr;
  });
  reader.join();
  owner.join();
}
