// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: the bits of a vector<bool> share their words; it is the one container whose elements are not apart
// ([container.requirements.dataraces]).
#include <thread>
#include <vector>

static std::vector<bool> seen(8);

int main() {
  std::thread first([] { seen[0] = true; });
  std::thread second([] { seen[1] = true; });
  first.join();
  second.join();
}
