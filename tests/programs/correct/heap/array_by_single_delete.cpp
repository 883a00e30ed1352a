// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The repaired twin: whoever deletes asks what it is.
#include <mutex>
#include <thread>

static std::mutex guard;
static int* cell = nullptr;
static bool several = false;

static void release() {
  if (several)
    delete[] cell;
  else
    delete cell;
}

int main() {
  std::thread one([] {
    std::lock_guard lock(guard);
    release();
    cell = new int(1);
    several = false;
  });
  std::thread many([] {
    std::lock_guard lock(guard);
    release();
    cell = new int[4]{1, 2, 3, 4};
    several = true;
  });
  one.join();
  many.join();
  release();
}
