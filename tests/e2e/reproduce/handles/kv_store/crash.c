/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads on one store, until it crashes. */
#include <pthread.h>
#include <stddef.h>

#include "kv_store.h"

static void* reads(void* store) {
  char buffer[32];
  for (;;) kv_get(store, "user", buffer, sizeof buffer);
  return NULL;
}

int main(void) {
  kv_store* store = kv_open(8);
  pthread_t reader;
  kv_put(store, "user", "admin");
  pthread_create(&reader, NULL, reads, store);
  for (;;) {
    kv_remove(store, "user");
    kv_put(store, "user", "admin");
  }
}
