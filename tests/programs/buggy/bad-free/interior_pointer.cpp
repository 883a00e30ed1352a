// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: bad-free
// The pointer that is freed is the one the parser advances: if the parser ran first, it points into the block.
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

static std::mutex guard;
static char* cursor = nullptr;

int main() {
  cursor = static_cast<char*>(std::malloc(64));
  std::strcpy(cursor, "key=value");
  std::thread parser([] {
    std::lock_guard lock(guard);
    if (cursor != nullptr) cursor += 4;
  });
  std::thread closer([] {
    std::lock_guard lock(guard);
    std::free(cursor);
    cursor = nullptr;
  });
  parser.join();
  closer.join();
}
