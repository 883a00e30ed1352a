// SPDX-License-Identifier: Apache-2.0
// Ignores the polite signals and computes for ever.
#include <csignal>
#include <thread>

int main() {
  for (int number : {SIGTERM, SIGINT, SIGHUP}) std::signal(number, SIG_IGN);
  std::thread task([] {
    volatile unsigned n = 1;
    while (n != 0) n = n | 1;
  });
  task.join();
}
