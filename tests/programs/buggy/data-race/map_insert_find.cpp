// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: find walks the tree that insert links a node into. const members may run together, but not with an insert.
#include <map>
#include <thread>

static std::map<int, int> ages{{1, 10}, {5, 50}};

int main() {
  bool found = false;
  std::thread writer([] { ages.insert({3, 30}); });
  std::thread reader([&] { found = ages.find(3) != ages.end(); });
  writer.join();
  reader.join();
}
