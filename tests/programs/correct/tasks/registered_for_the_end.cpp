// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// What was registered for the end of the program runs then, after the threads, the latest first.
#include <cstdlib>
#include <thread>

namespace {

int g_threads = 0;

void last() {
  if (g_threads != 2) std::abort();
}

void first() {
  if (g_threads != 1) std::abort();
  g_threads = 2;
}

}  // namespace

int main() {
  if (std::atexit(last) != 0 || std::atexit(first) != 0) return 1;
  std::thread one([] { g_threads = 1; });
  one.join();
}
