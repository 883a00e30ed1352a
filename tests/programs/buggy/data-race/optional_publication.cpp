// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: has_value is a plain flag; it does not publish the value.
#include <optional>
#include <thread>

static std::optional<int> result;

int main() {
  int seen = 0;
  std::thread writer([] { result.emplace(42); });
  std::thread reader([&] {
    if (result.has_value()) seen = *result;
  });
  writer.join();
  reader.join();
}
