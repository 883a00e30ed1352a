// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Destructors of thread-specific data run when each task ends, before its join returns, and may set the key again.
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <thread>

static pthread_key_t key;
static std::atomic<int> destroyed{0};

static void destroy(void* value) {
  destroyed.fetch_add(1);
  const long left = reinterpret_cast<long>(value) - 1;
  if (left > 0) pthread_setspecific(key, reinterpret_cast<void*>(left));
}

int main() {
  pthread_key_create(&key, destroy);
  auto body = [] {
    assert(pthread_getspecific(key) == nullptr);
    pthread_setspecific(key, reinterpret_cast<void*>(2L));
  };
  std::thread first(body);
  std::thread second(body);
  first.join();
  second.join();
  assert(destroyed.load() == 4);
  pthread_key_delete(key);
}
