// SPDX-License-Identifier: Apache-2.0
// Replaces itself: "early" before the first thread, "late" from within a task.
#include <unistd.h>

#include <cstring>
#include <thread>

int main(int, char** arguments) {
  auto replace = [] { execl("/bin/true", "true", static_cast<char*>(nullptr)); };
  if (std::strcmp(arguments[1], "early") == 0) replace();
  std::thread task(replace);
  task.join();
}
