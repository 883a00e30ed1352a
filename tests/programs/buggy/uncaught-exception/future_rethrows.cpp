// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: uncaught-exception
// The exception crosses to main through the future; main does not expect it, since the file is usually there by then.
#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>

int main() {
  std::atomic<bool> file_written{false};
  std::thread writer([&] { file_written.store(true); });
  std::future<int> size = std::async(std::launch::async, [&] {
    if (!file_written.load()) throw std::runtime_error("no such file");
    return 12;
  });
  size.get();
  writer.join();
}
