// SPDX-License-Identifier: Apache-2.0
// pthread_exit in main: the process goes on until its last thread ends, and its exit code is 0.
#include <pthread.h>

#include "expect.h"

static pthread_t main_thread;
static int cleaned;

static void* outlive_main(void* argument) {
  void* result = NULL;
  EXPECT_EQ(pthread_join(main_thread, &result), 0);
  EXPECT(result == &cleaned);
  EXPECT_EQ(cleaned, 1);
  return argument;
}

static void clean(void* argument) { ++*(int*)argument; }

int main(void) {
  pthread_t thread;
  main_thread = pthread_self();
  EXPECT_EQ(pthread_create(&thread, NULL, outlive_main, NULL), 0);
  pthread_cleanup_push(clean, &cleaned);
  pthread_exit(&cleaned);
  pthread_cleanup_pop(0);
  return 1;
}
