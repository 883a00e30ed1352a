// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Semaphores and shared memory that have a name: they are files, too. One is made before the first thread, one after
// it; neither may be there when the next execution begins.
#include <fcntl.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cassert>
#include <thread>

int main() {
  sem_t* const before = sem_open("/ravel-before", O_CREAT | O_EXCL, 0600, 1);
  assert(before != SEM_FAILED);
  std::thread user([&] {
    sem_wait(before);
    sem_t* const after = sem_open("/ravel-after", O_CREAT | O_EXCL, 0600, 0);
    assert(after != SEM_FAILED);
    sem_post(after);
    int value = 0;
    assert(sem_getvalue(after, &value) == 0 && value == 1);
    sem_close(after);
    const int memory = shm_open("/ravel-memory", O_CREAT | O_EXCL | O_RDWR, 0600);
    assert(memory >= 0 && ftruncate(memory, 4096) == 0);
    close(memory);
  });
  user.join();
  int value = 0;
  assert(sem_getvalue(before, &value) == 0 && value == 0);
}
