// SPDX-License-Identifier: Apache-2.0
// The flag is set without the lock, so the notification can fall between the consumer's test and its wait: it is sent
// to nobody, and the consumer waits for ever.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable arrived;
std::atomic<bool> ready = false;

void consumer() {
  std::unique_lock lock(mutex);
  while (!ready) arrived.wait(lock);
}

void producer() {
  ready = true;
  arrived.notify_one();
}

int main() {
  std::thread waiting(consumer);
  std::thread notifying(producer);
  waiting.join();
  notifying.join();
  std::puts("delivered");
}
