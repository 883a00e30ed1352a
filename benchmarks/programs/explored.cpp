// SPDX-License-Identifier: Apache-2.0
// inprocess_rate: explored STRATEGY ROUNDS EXECUTIONS [OPTION]: explores a test of two threads that take one lock
// ROUNDS times each, and prints how many seconds that took. OPTION is passed on to the tool.
#include <ravel/explore.h>

#include <cassert>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

int main(int count, char** words) {
  const int rounds = std::atoi(words[2]);
  ravel::ExploreOptions options;
  options.strategy = words[1];
  options.executions = std::strtoull(words[3], nullptr, 10);
  options.quiet = true;
  if (count > 4) options.more_arguments = {words[4]};
  const auto began = std::chrono::steady_clock::now();
  const ravel::ExploreResult result = ravel::explore(options, [rounds] {
    std::mutex mutex;
    int counter = 0;
    const auto work = [&] {
      for (int i = 0; i < rounds; ++i) {
        const std::lock_guard guard(mutex);
        ++counter;
      }
    };
    std::thread first(work);
    std::thread second(work);
    first.join();
    second.join();
    assert(counter == 2 * rounds);
  });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
  if (!result) std::fprintf(stderr, "%s\n", result.message.c_str());
  std::printf("%.6f\n", seconds.count());
  return result ? 0 : 1;
}
