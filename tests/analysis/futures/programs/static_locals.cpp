// SPDX-License-Identifier: Apache-2.0
// Static variables that the first who comes initialises, and variables that every thread has for itself.
#include <cstdio>
#include <thread>

int source = 1;

struct Config {
  int level = source;  // [l1]
};

int& counter() {
  static int count = source + 1;  // [c1]
  return count;
}
Config& config() {
  static Config one;  // [l2]
  return one;
}
thread_local int mine = 1;

int main() {
  std::thread t([] {
    counter() += 1;      // count = π c1  [c2]
    config().level = 4;  // [l3]
    mine = 2;
  });
  std::printf("%d %d %d\n", counter(), config().level, mine);  // Config::level = π l1 l2 l3; count = π c1 c2
  t.join();
  std::printf("%d\n", counter());       // count = φ c1 c2
  std::printf("%d\n", config().level);  // Config::level = φ l1 l2 l3
}
