// SPDX-License-Identifier: Apache-2.0
// Is killed from outside its own code.
#include <csignal>
#include <thread>
#include <unistd.h>

int main() {
  std::thread task([] { kill(getpid(), SIGKILL); });
  task.join();
  for (;;) pause();
}
