// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: the tasks count what they have done under the lock. Between two steps a task makes many accesses to its own
// memory, after some of which it is made to yield; when, must not depend on what else an execution is to keep.
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static int next_block;
static long bytes_done;

static void squeeze(std::vector<unsigned char>& data) {
  int seen[256] = {};
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 1; i < data.size(); ++i) {
      ++seen[data[i]];
      data[i] = static_cast<unsigned char>(data[i] ^ (data[i - 1] + seen[data[i]] % 3));
    }
  }
}

static void work() {
  for (;;) {
    {
      const std::lock_guard<std::mutex> guard(lock);
      if (next_block == 12) return;
      ++next_block;
    }
    std::vector<unsigned char> block(2500, 7);
    squeeze(block);
    const std::lock_guard<std::mutex> guard(lock);
    bytes_done += static_cast<long>(block.size());
  }
}

int main() {
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
}
