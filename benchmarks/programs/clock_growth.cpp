// SPDX-License-Identifier: Apache-2.0
// So many tasks (first argument) synchronise by a few mutexes and atomics, so many operations in all (second argument).
#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

int main(int, char** arguments) {
  const unsigned tasks = static_cast<unsigned>(std::atoi(arguments[1]));
  const unsigned operations = static_cast<unsigned>(std::atoi(arguments[2])) / tasks / 3;
  std::array<std::mutex, 4> mutexes;
  std::array<std::atomic<unsigned>, 4> atomics{};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < tasks; ++t) {
    threads.emplace_back([&, t] {
      for (unsigned i = 0; i < operations; ++i) {
        { const std::lock_guard guard(mutexes[(t + i) % mutexes.size()]); }
        atomics[(t + i) % atomics.size()].fetch_add(1, std::memory_order_acq_rel);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}
