/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads on one uplink, until it crashes. */
#include <pthread.h>
#include <stddef.h>

#include "uplink.h"

static void* sends(void* uplink) {
  for (;;) uplink_send(uplink, "x", 1);
  return NULL;
}

int main(void) {
  uplink_t uplink;
  pthread_t sender;
  uplink_open(&uplink, "admin");
  pthread_create(&sender, NULL, sends, uplink);
  for (;;) {
    uplink_connect(uplink, "server", UPLINK_PLAIN);
    uplink_disconnect(uplink);
  }
}
