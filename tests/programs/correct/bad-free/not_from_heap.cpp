// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The repaired twin: the static buffer is not freed.
#include <cstdlib>
#include <mutex>
#include <thread>

static std::mutex guard;
static char default_buffer[64];
static char* buffer = default_buffer;

int main() {
  std::thread opener([] {
    std::lock_guard lock(guard);
    if (buffer == default_buffer) buffer = static_cast<char*>(std::malloc(128));
  });
  std::thread closer([] {
    std::lock_guard lock(guard);
    if (buffer != default_buffer) std::free(buffer);
    buffer = nullptr;
  });
  opener.join();
  closer.join();
}
