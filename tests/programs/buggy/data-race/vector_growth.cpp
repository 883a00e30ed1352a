// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: push_back changes the pointers of the vector while another task reads them.
#include <cstddef>
#include <thread>
#include <vector>

static std::vector<int> values{1};

int main() {
  std::size_t seen = 0;
  std::thread writer([] { values.push_back(2); });
  std::thread reader([&] { seen = values.size(); });
  writer.join();
  reader.join();
}
