// SPDX-License-Identifier: Apache-2.0
// A shared library with a sync point of its own, used by library_user.cpp.
#include <ravel/sync.h>

int shared;

void write_shared() {
  if (ravel_sync_is_running("order")) {
    static struct ravel_sync_site site = {"order", "read", "library.cpp:9", 0, 1, 0};
    ravel_sync_wait(&site);
  }
  shared = 1;
}
