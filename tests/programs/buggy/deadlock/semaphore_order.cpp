// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: deadlock
// Two jobs need a printer and a scanner; they take the two semaphores in opposite order.
#include <semaphore.h>

#include <thread>

static sem_t printer;
static sem_t scanner;
static int pages = 0;

static void use(sem_t* first, sem_t* second) {
  sem_wait(first);
  sem_wait(second);
  ++pages;
  sem_post(second);
  sem_post(first);
}

int main() {
  sem_init(&printer, 0, 1);
  sem_init(&scanner, 0, 1);
  std::thread copy([] { use(&scanner, &printer); });
  std::thread fax([] { use(&printer, &scanner); });
  copy.join();
  fax.join();
  return pages == 2 ? 0 : 1;
}
