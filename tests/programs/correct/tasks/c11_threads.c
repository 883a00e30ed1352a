// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// C11 threads, mutexes, conditions, once and thread-specific storage. (The thread sanitizers do not support
// thrd_create.)
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t slot;
static int initialised = 0;
static int arrived = 0;

static void initialise(void) { ++initialised; }

static int worker(void* argument) {
  call_once(&flag, initialise);
  tss_set(slot, argument);
  mtx_lock(&mutex);
  ++arrived;
  cnd_broadcast(&changed);
  while (arrived < 2) cnd_wait(&changed, &mutex);
  mtx_unlock(&mutex);
  thrd_yield();
  return tss_get(slot) == argument ? 5 : 0;
}

int main(void) {
  mtx_init(&mutex, mtx_plain);
  cnd_init(&changed);
  tss_create(&slot, NULL);
  thrd_t threads[2];
  int values[2];
  for (int i = 0; i < 2; ++i) assert(thrd_create(&threads[i], worker, &values[i]) == thrd_success);
  for (int i = 0; i < 2; ++i) {
    int result = 0;
    assert(thrd_join(threads[i], &result) == thrd_success);
    assert(result == 5);
  }
  assert(initialised == 1);
  tss_delete(slot);
  cnd_destroy(&changed);
  mtx_destroy(&mutex);
  return 0;
}
