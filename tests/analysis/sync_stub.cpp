// SPDX-License-Identifier: Apache-2.0
// Stands in for the runtime: writes down what woven code does instead of waiting.
#include <ravel/sync.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
int ravel_sync_is_running(const char* test) {
  const char* name = std::getenv("RAVEL_RACE_TEST");
  return name != nullptr && std::strcmp(name, test) == 0 ? 1 : 0;
}
void ravel_sync_wait(ravel_sync_site* site) {
  std::printf("wait %s %s %u %u\n", site->event, site->place, site->arrival, site->task);
}
void ravel_sync_notify(ravel_sync_site* site) {
  std::printf("notify %s %s %u %u\n", site->event, site->place, site->arrival, site->task);
}
}
