// SPDX-License-Identifier: Apache-2.0
// Fails only when the reader comes between the two halves of the writer's update, and only if a third task has closed
// the books before: no strategy meets it at its first execution.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex lock;
static int debit = 0;
static int credit = 0;
static std::atomic<bool> closed{false};

int main() {
  std::thread writer([] {
    for (int i = 0; i < 3; ++i) {
      {
        const std::lock_guard<std::mutex> guard(lock);
        ++debit;
      }
      const std::lock_guard<std::mutex> guard(lock);
      ++credit;
    }
  });
  std::thread closer([] { closed = true; });
  std::thread reader([] {
    const bool final = closed;
    const std::lock_guard<std::mutex> guard(lock);
    assert(!final || debit == credit || debit != 2);
  });
  writer.join();
  closer.join();
  reader.join();
}
