// SPDX-License-Identifier: Apache-2.0
// A task forks; the child does something and ends; the parent waits for it.
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

int main() {
  int status = -1;
  std::thread task([&] {
    const pid_t child = fork();
    if (child == 0) _exit(5);
    waitpid(child, &status, 0);
  });
  task.join();
  return WIFEXITED(status) && WEXITSTATUS(status) == 5 ? 0 : 1;
}
