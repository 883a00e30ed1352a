// SPDX-License-Identifier: Apache-2.0
// A task ends the whole process by _exit with the code given.
#include <unistd.h>

#include <cstdlib>
#include <thread>

int main(int, char** arguments) {
  std::thread task([&] { _exit(std::atoi(arguments[1])); });
  task.join();
  for (;;) pause();
}
