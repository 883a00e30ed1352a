// SPDX-License-Identifier: Apache-2.0
// Static variables that the first who comes initialises, and variables that every thread has for itself.
#include <cstdio>
#include <thread>

int source = 1;

struct Config {
  int level = source;  // [level1]
};

int& counter() {
  static int count = source + 1;  // [count1]
  return count;
}
Config& config() {
  static Config one;  // [level2]
  return one;
}
thread_local int mine = 1;

int main() {
  std::thread t([] {
    counter() += 1;      // count = π count1  [count2]
    config().level = 4;  // [level3]
    mine = 2;
  });
  std::printf("%d %d\n", counter(), mine);  // count = π count1 count2
  t.join();
  std::printf("%d\n", counter());       // count = φ count1 count2
  std::printf("%d\n", config().level);  // Config::level = φ level1 level2 level3
}
