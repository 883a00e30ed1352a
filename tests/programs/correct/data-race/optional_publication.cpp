// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// STANDARD: c++20
// Kept: optional and any are changed and looked at under one lock.
#include <any>
#include <cassert>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

static std::mutex guard;
static std::optional<int> result;
static std::any detail;

int main() {
  std::thread writer([] {
    std::lock_guard lock(guard);
    result.emplace(42);
    detail = std::string("a text that does not fit into the small buffer of any");
  });
  std::thread reader([] {
    std::lock_guard lock(guard);
    if (result.has_value()) assert(*result == 42 && std::any_cast<std::string&>(detail)[0] == 'a');
  });
  writer.join();
  reader.join();
}
