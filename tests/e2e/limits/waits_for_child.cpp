// SPDX-License-Identifier: Apache-2.0
// One task waits for a child process, the other for the first, in a loop that yields. The child takes real time, which
// the loop must let pass: it is no livelock.
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

int main() {
  std::atomic<bool> done{false};
  std::thread waiting([&] {
    while (!done) sched_yield();
  });
  const pid_t child = fork();
  if (child == 0) {
    usleep(300'000);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  done = true;
  waiting.join();
}
