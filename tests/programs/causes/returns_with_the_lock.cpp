// SPDX-License-Identifier: Apache-2.0
// A thread that finds the store closed returns without unlocking.
// FINDING: leak-of-lock, deadlock
#include <pthread.h>

#include <atomic>
#include <thread>

static pthread_mutex_t store_mutex = PTHREAD_MUTEX_INITIALIZER;
static std::atomic<bool> closed{false};
static int stock = 3;

static void sell() {
  pthread_mutex_lock(&store_mutex);
  if (closed.load()) return;  // CAUSE: second
  --stock;
  pthread_mutex_unlock(&store_mutex);
}

int main() {
  std::thread customer(sell);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  closed.store(true);  // CAUSE: first
  customer.join();
  return stock < 2 ? 1 : 0;
}
