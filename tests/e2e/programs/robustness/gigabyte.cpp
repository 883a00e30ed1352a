// SPDX-License-Identifier: Apache-2.0
// Writes a gigabyte to standard output.
#include <unistd.h>

#include <cstring>
#include <thread>

static char block[1 << 20];

int main() {
  std::memset(block, 'x', sizeof block);
  std::thread task([] {
    for (int i = 0; i < 1024; ++i) {
      for (size_t done = 0; done < sizeof block;) {
        const ssize_t written = write(STDOUT_FILENO, block + done, sizeof block - done);
        if (written <= 0) _exit(9);
        done += static_cast<size_t>(written);
      }
    }
  });
  task.join();
}
