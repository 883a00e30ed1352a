// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: bad-free
// The default buffer is a static array; the task that closes frees whatever it finds, unless the other replaced it.
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
    std::free(buffer);
    buffer = nullptr;
  });
  opener.join();
  closer.join();
}
