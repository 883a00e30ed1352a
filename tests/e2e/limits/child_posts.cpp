// SPDX-License-Identifier: Apache-2.0
// A thread waits for a semaphore that a child process posts after a while: no deadlock. With an argument the child ends
// without doing so: a deadlock.
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <thread>

int main(int argc, char**) {
  std::thread([argc] {
    void* const memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(memory != MAP_FAILED);
    auto* const posted = static_cast<sem_t*>(memory);
    assert(sem_init(posted, 1, 0) == 0);
    const pid_t child = fork();
    if (child == 0) {
      usleep(20'000);
      if (argc == 1) sem_post(posted);
      _exit(0);
    }
    assert(sem_wait(posted) == 0);
    waitpid(child, nullptr, 0);
  }).join();
}
