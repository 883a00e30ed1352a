// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// A child of the program has threads of its own, which use locks, condition variables and the heap. They are not under
// control, and neither is what the child does to memory that tasks of its parent used.
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

int shared[64];

int work_in_child() {
  std::mutex mutex;
  std::condition_variable ready;
  std::vector<std::string> results;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      std::string text(200, 'x');
      const std::lock_guard<std::mutex> lock(mutex);
      results.push_back(std::move(text));
      ready.notify_one();
    });
  }
  for (int& one : shared) ++one;
  {
    std::unique_lock<std::mutex> lock(mutex);
    ready.wait(lock, [&] { return results.size() == threads.size(); });
  }
  for (std::thread& thread : threads) thread.join();
  return shared[63] == 2 ? 0 : 1;
}

int main() {
  std::thread([] {
    for (int& one : shared) one = 1;
  }).join();
  std::thread parent([] {
    const pid_t child = fork();
    if (child == 0) _exit(work_in_child());
    int status = 0;
    assert(waitpid(child, &status, 0) == child && status == 0);
  });
  parent.join();
}
