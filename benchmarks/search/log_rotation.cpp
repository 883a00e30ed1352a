// SPDX-License-Identifier: Apache-2.0
// Log rotation. A writer looks which file is current and writes to it; the rotation closes the file in between.
// Shown by: the rotation makes a new file and closes the old one between a writer's look and its write.
#include <array>
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct File {
  std::mutex mutex;
  bool open = true;
  int lines = 0;
};

int main() {
  std::array<File, 2> files;
  std::atomic<int> current{0};
  auto write = [&] {
    for (int line = 0; line < 3; ++line) {
      File& file = files[current.load()];
      std::lock_guard lock(file.mutex);
      assert(file.open);
      ++file.lines;
    }
  };
  std::thread first(write);
  std::thread second(write);
  std::thread rotation([&] {
    std::lock_guard lock(files[0].mutex);
    current.store(1);
    files[0].open = false;
  });
  first.join();
  second.join();
  rotation.join();
}
