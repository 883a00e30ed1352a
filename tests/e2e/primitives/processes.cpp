// SPDX-License-Identifier: Apache-2.0
// Children of a program with threads: they run free, their ends are seen, atfork handlers find consistent locks.
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>

#include <mutex>
#include <thread>

#include "expect.h"

extern char** environ;

namespace {

std::mutex g_plain;
int g_prepared = 0;

void prepare() {
  g_plain.lock();
  ++g_prepared;
}
void release() { g_plain.unlock(); }

int status_of(pid_t child) {
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

// A child may use threads and locks like any process.
[[noreturn]] void child_work(int code) {
  int counter = 0;
  std::thread other([&] {
    const std::lock_guard<std::mutex> lock(g_plain);
    ++counter;
  });
  {
    const std::lock_guard<std::mutex> lock(g_plain);
    ++counter;
  }
  other.join();
  _exit(counter == 2 ? code : 99);
}

void fork_and_wait(int code) {
  const pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) child_work(code);
  const int status = status_of(child);
  EXPECT(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), code);
}

void* return_from_body_in_child(void*) {
  const pid_t child = fork();
  if (child == 0) return nullptr;  // the only thread of the child ends: exit code 0
  EXPECT_EQ(status_of(child), 0);
  return nullptr;
}

}  // namespace

int main() {
  EXPECT_EQ(pthread_atfork(&prepare, &release, &release), 0);
  fork_and_wait(3);
  std::thread one([] { fork_and_wait(4); });
  std::thread two([] { fork_and_wait(5); });
  one.join();
  two.join();
  EXPECT_EQ(g_prepared, 3);
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, nullptr, &return_from_body_in_child, nullptr), 0);
  EXPECT_EQ(pthread_join(thread, nullptr), 0);

  const pid_t fast = vfork();
  if (fast == 0) _exit(6);
  EXPECT_EQ(WEXITSTATUS(status_of(fast)), 6);

  pid_t spawned = -1;
  char name[] = "true";
  char* arguments[] = {name, nullptr};
  EXPECT_EQ(posix_spawnp(&spawned, name, nullptr, nullptr, arguments, environ), 0);
  EXPECT_EQ(status_of(spawned), 0);
  EXPECT_EQ(WEXITSTATUS(system("exit 7")), 7);

  EXPECT_ERRNO(waitpid(-1, nullptr, 0), ECHILD);
  EXPECT_ERRNO(waitpid(-1, nullptr, WNOHANG), ECHILD);

  // The child waits for a thread of the parent: waiting for the child must not stop the others.
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t reader = fork();
  if (reader == 0) {
    char byte = 0;
    _exit(read(ends[0], &byte, 1) == 1 ? byte : 98);
  }
  std::thread waiter([&] { EXPECT_EQ(WEXITSTATUS(status_of(reader)), 8); });
  const char eight = 8;
  EXPECT_EQ(write(ends[1], &eight, 1), 1);
  waiter.join();
  return 0;
}
