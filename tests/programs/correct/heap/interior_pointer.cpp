// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The repaired twin: the start of the block is remembered beside the cursor.
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

static std::mutex guard;
static char* block = nullptr;
static char* cursor = nullptr;

int main() {
  block = static_cast<char*>(std::malloc(64));
  cursor = block;
  std::strcpy(cursor, "key=value");
  std::thread parser([] {
    std::lock_guard lock(guard);
    if (cursor == nullptr) return;
    cursor += 4;
    assert(std::strcmp(cursor, "value") == 0);
  });
  std::thread closer([] {
    std::lock_guard lock(guard);
    std::free(block);
    block = cursor = nullptr;
  });
  parser.join();
  closer.join();
}
