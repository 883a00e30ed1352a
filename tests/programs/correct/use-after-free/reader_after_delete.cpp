// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Repaired: the reader asks again whether the session is still there.
#include <mutex>
#include <thread>

struct Session {
  int user = 7;
};

static std::mutex guard;
static Session* session = new Session;
static bool closed = false;

int main() {
  int seen = 0;
  std::thread reader([&] {
    Session* mine = nullptr;
    {
      std::lock_guard lock(guard);
      mine = session;
    }
    std::lock_guard lock(guard);
    if (mine != nullptr && !closed) seen = mine->user;
  });
  std::thread owner([] {
    std::lock_guard lock(guard);
    delete session;
    session = nullptr;
    closed = true;
  });
  reader.join();
  owner.join();
}
