// SPDX-License-Identifier: Apache-2.0
// native_rate SECONDS PROGRAM [ARGUMENTS]: how often a second the program can be started and run to its end, one after
// the other, by fork, exec and wait, with no shell. Prints the rate. The control arm of explore_rate_vs_native.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

int main(int count, char** words) {
  if (count < 3) {
    std::fputs("usage: native_rate SECONDS PROGRAM [ARGUMENTS]\n", stderr);
    return 2;
  }
  const std::chrono::duration<double> limit(std::atof(words[1]));
  const int sink = open("/dev/null", O_WRONLY);
  const auto start = std::chrono::steady_clock::now();
  std::chrono::duration<double> elapsed{};
  long runs = 0;
  do {
    const pid_t child = fork();
    if (child == 0) {
      dup2(sink, STDOUT_FILENO);
      execv(words[2], words + 2);
      _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      std::fprintf(stderr, "native_rate: %s did not end well (status %d)\n", words[2], status);
      return 1;
    }
    ++runs;
    elapsed = std::chrono::steady_clock::now() - start;
  } while (elapsed < limit);
  std::printf("%.2f\n", static_cast<double>(runs) / elapsed.count());
}
