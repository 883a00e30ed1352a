// SPDX-License-Identifier: Apache-2.0
// A reader keeps a pointer beyond the lock that protects it. Every access is ordered by the lock, so only freeing at
// the wrong moment is wrong.
#include <mutex>
#include <thread>

struct Session {
  int user = 7;
  int limit = 0;
};

std::mutex m;
Session* session = nullptr;
bool ended = false;

void end_session() {
  const std::lock_guard lock(m);
  delete session;
  ended = true;  // and session still points there
}

void use_session() {
  {
    const std::lock_guard lock(m);
    if (ended) return;
  }
  const std::lock_guard lock(m);
  [[maybe_unused]] const volatile int user = session->user;
}

int main() {
  session = new Session;
  std::thread a(end_session);
  std::thread b(use_session);
  a.join();
  b.join();
}
