// SPDX-License-Identifier: Apache-2.0
// The application whose crash crash.txt shows.
#include <thread>

#include "session.h"

int main() {
  Session session;
  std::thread page([&] {
    for (;;) session.greet();
  });
  std::thread cleaner([&] {
    for (;;) session.purge();
  });
  for (;;) {
    session.login("ann");
    session.logout();
  }
}
