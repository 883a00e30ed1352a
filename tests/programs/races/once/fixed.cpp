// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: the function that call_once runs happens before the return of every call with that flag.
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag once;
static int value = 0;

static int get() {
  std::call_once(once, [] { value += 42; });
  return value;
}

int main() {
  auto use = [] { assert(get() == 42); };
  std::thread first(use);
  std::thread second(use);
  std::thread third(use);
  first.join();
  second.join();
  third.join();
}
