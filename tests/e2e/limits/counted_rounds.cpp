// SPDX-License-Identifier: Apache-2.0
// A loop that waits for a flag and counts its rounds. Random strategies let it go round often enough to fail;
// exhaustive ones take the second useless round for waiting.
#include <assert.h>

#include <atomic>
#include <thread>

std::atomic<int> flag;

int main() {
  std::thread setter([] { flag.store(1); });
  int rounds = 0;
  while (flag.load() == 0) ++rounds;
  setter.join();
  assert(rounds < 3);
}
