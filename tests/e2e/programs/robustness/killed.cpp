// SPDX-License-Identifier: Apache-2.0
// Is killed from outside its own code.
#include <unistd.h>
#include <csignal>
#include <thread>

int main() {
  std::thread task([] { kill(getpid(), SIGKILL); });
  task.join();
  for (;;) pause();
}
