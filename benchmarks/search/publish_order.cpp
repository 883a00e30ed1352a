// SPDX-License-Identifier: Apache-2.0
// Order violation at start-up. A thread starts its child, which uses a field that the parent sets after the start.
// Shown by: the child runs at once.
#include <atomic>
#include <cassert>
#include <thread>

struct Session {
  std::atomic<int> identity{0};
  std::thread thread;
};

int main() {
  Session sessions[2];
  std::thread parent([&] {
    for (Session& session : sessions) {
      session.thread = std::thread([&session] { assert(session.identity.load() != 0); });
      session.identity.store(1);
    }
  });
  parent.join();
  for (Session& session : sessions) {
    session.thread.join();
  }
}
