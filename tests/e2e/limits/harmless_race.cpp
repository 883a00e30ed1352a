// SPDX-License-Identifier: Apache-2.0
// A data race that makes nothing fail. Ravel explores it, but reports what fails, not the race itself.
#include <cstdio>
#include <thread>

int last = 0;

int main() {
  std::thread first([] { last = 1; });
  std::thread second([] { last = 2; });
  first.join();
  second.join();
  std::printf("last was %d\n", last);
}
