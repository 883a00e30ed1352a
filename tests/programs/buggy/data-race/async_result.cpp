// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: the function of async writes its captured variable in another task; it is read before get.
#include <future>

int main() {
  int count = 0;
  std::future<void> work = std::async(std::launch::async, [&count] { count += 1; });
  int early = count;
  work.get();
  return early < 0;
}
