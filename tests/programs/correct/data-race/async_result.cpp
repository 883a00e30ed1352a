// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: a deferred function runs inside get, in the task that calls it; an async one is ordered by get.
#include <cassert>
#include <future>

int main() {
  int count = 0;
  std::future<void> later = std::async(std::launch::deferred, [&count] { count += 1; });
  count += 1;
  later.get();
  assert(count == 2);
  std::future<int> work = std::async(std::launch::async, [&count] { return ++count; });
  assert(work.get() == 3 && count == 3);
}
