// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: the counts of a shared_ptr are atomic, the shared_ptr itself is not. One task copies it while another
// replaces it. The first value stays owned by main, so that the race does not also free it.
#include <memory>
#include <thread>

static std::shared_ptr<int> current = std::make_shared<int>(1);

int main() {
  const std::shared_ptr<int> first_value = current;
  std::thread replacer([] { current = std::make_shared<int>(2); });
  std::thread reader([] {
    int* seen = current.get();
    (void)seen;
  });
  replacer.join();
  reader.join();
}
