// SPDX-License-Identifier: Apache-2.0
// The kernel tells of the end of a child by a signal, whenever that is: in the middle of a call of the program, or
// while no thread can run. Its handler writes to a pipe, for which a thread waits. When it comes is not in the
// schedule.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <thread>

namespace {

int ends[2];

void handler(int number, siginfo_t* information, void*) {
  const int saved_errno = errno;
  assert(number == SIGCHLD && information->si_status == 7);
  (void)!write(ends[1], "c", 1);
  errno = saved_errno;
}

}  // namespace

int main() {
  assert(pipe2(ends, O_NONBLOCK) == 0);
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_RESTART | SA_SIGINFO;
  assert(sigaction(SIGCHLD, &action, nullptr) == 0);
  std::thread waits([] {
    char byte = 0;
    do {
      pollfd readable = {ends[0], POLLIN, 0};
      poll(&readable, 1, -1);
    } while (read(ends[0], &byte, 1) != 1);
  });
  const pid_t child = fork();
  if (child == 0) _exit(7);
  int status = 0;
  while (waitpid(child, &status, 0) < 0) assert(errno == EINTR);
  assert(WEXITSTATUS(status) == 7);
  waits.join();
}
