// SPDX-License-Identifier: Apache-2.0
// Deadlock of semaphores. Each job needs two permits of a pool of three, and takes them one at a time.
// Shown by: all three jobs hold one permit when they ask for their second.
#include <semaphore>
#include <thread>

int main() {
  std::counting_semaphore<3> permits(3);
  std::thread jobs[3];
  for (std::thread& job : jobs) {
    job = std::thread([&] {
      for (int round = 0; round < 2; ++round) {
        permits.acquire();
        permits.acquire();
        permits.release(2);
      }
    });
  }
  for (std::thread& job : jobs) {
    job.join();
  }
}
