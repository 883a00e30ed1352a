// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Tasks that use most of a megabyte of stack, and one with a stack size of its own.
#include <pthread.h>

#include <cassert>
#include <thread>

static int depth_sum(int depth) {
  char padding[1024];
  volatile char* const cell = &padding[depth % 1024];  // one byte of each frame is used, so that each frame is there
  *cell = 1;
  return depth == 0 ? 0 : *cell + depth_sum(depth - 1);
}

static void* on_small_stack(void* result) {
  *static_cast<int*>(result) = depth_sum(100);
  return nullptr;
}

int main() {
  int sums[3] = {};
  std::thread first([&] { sums[0] = depth_sum(600); });
  std::thread second([&] { sums[1] = depth_sum(600); });
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  pthread_t small;
  pthread_create(&small, &attributes, on_small_stack, &sums[2]);
  pthread_attr_destroy(&attributes);
  first.join();
  second.join();
  pthread_join(small, nullptr);
  assert(sums[0] == 600 && sums[1] == 600 && sums[2] == 100);
}
