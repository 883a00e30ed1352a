// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// A worker looks at its job and then says that it is done; the owner frees the job as soon as it sees that.
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
    last_number = job->number;
    job->done.store(true, std::memory_order_release);
  });
  while (!job->done.load(std::memory_order_acquire)) std::this_thread::yield();
  delete job;
  worker.join();
}
