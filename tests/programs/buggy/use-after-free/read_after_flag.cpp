// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: use-after-free
// A worker says that it is done and then looks at its job once more; the owner frees the job as soon as it sees that.
// The free races with two parts of the job: with the flag always, and with the number behind it, where it matters.
#include <atomic>
#include <thread>

namespace {

struct Job {
  std::atomic<bool> done{false};
  char room[100] = {};
  int number = 7;
};

volatile int last_number = 0;

}  // namespace

int main() {
  auto* const job = new Job;
  std::thread worker([job] {
    job->done.store(true, std::memory_order_relaxed);
    last_number = job->number;
  });
  while (!job->done.load(std::memory_order_relaxed)) std::this_thread::yield();
  delete job;
  worker.join();
}
