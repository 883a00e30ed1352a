// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: bad-free
// The cell holds one int from new or several from new[], depending on which task came last; the end deletes it as one.
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
  delete cell;
}
