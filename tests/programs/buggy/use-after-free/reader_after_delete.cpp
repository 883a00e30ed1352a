// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: use-after-free
// The reader keeps a pointer from one critical section to the next; the owner may delete the object in between. Every
// access is under the lock, so there is no data race: only the order decides.
#include <mutex>
#include <thread>

struct Session {
  int user = 7;
};

static std::mutex guard;
static Session* session = new Session;

int main() {
  int seen = 0;
  std::thread reader([&] {
    Session* mine = nullptr;
    {
      std::lock_guard lock(guard);
      mine = session;
    }
    std::lock_guard lock(guard);
    if (mine != nullptr) seen = mine->user;
  });
  std::thread owner([] {
    std::lock_guard lock(guard);
    delete session;
    session = nullptr;
  });
  reader.join();
  owner.join();
}
