// SPDX-License-Identifier: Apache-2.0
// What is open when the first thread is created would be shared by all executions if they were forked there. Most of it
// each of them can make again; not a pipe with something in it, a socket, or a child that is alive (the argument says
// which). There the program is restarted for each of them instead, which is slower, and Ravel says so.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string_view>
#include <thread>

int main(int, char** arguments) {
  const std::string_view what = arguments[1];
  int ends[2] = {-1, -1};
  int failed = 0;
  pid_t child = 0;
  if (what == "full_pipe") failed = pipe(ends) != 0 || write(ends[1], "x", 1) != 1 ? -1 : 0;
  if (what == "socket") failed = socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  if (what == "child") {
    child = fork();
    if (child == 0) {
      usleep(1000);
      _exit(0);
    }
  }
  if (failed != 0 || child < 0) return 2;
  std::thread([] {}).join();
  if (child != 0) waitpid(child, nullptr, 0);
}
