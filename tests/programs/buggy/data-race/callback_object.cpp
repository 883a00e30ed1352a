// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: a std::function is replaced in one task while another calls it. (The targets hold nothing that could be
// freed.)
#include <functional>
#include <thread>

static int one() { return 1; }
static int two() { return 2; }
static std::function<int()> callback = one;

int main() {
  bool set = false;
  std::thread replacer([] { callback = two; });
  std::thread caller([&] { set = static_cast<bool>(callback); });
  replacer.join();
  caller.join();
}
