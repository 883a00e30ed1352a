// SPDX-License-Identifier: Apache-2.0
// Program and shared library share the events of a test, although both are linked with libravel_sync.a.
#include <ravel/sync.h>

#include <thread>

extern int shared;
void write_shared();

int main() {
  int seen = -1;
  std::thread writer(write_shared);
  std::thread reader([&seen] {
    seen = shared;
    if (ravel_sync_is_running("order")) {
      static struct ravel_sync_site site = {"order", "read", "library_user.cpp:17", 0, 2, 0};
      ravel_sync_notify(&site);
    }
  });
  writer.join();
  reader.join();
  return seen;
}
