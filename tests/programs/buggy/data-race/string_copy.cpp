// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// STANDARD: c++20
// Broken: copying a string reads it; a task that assigns to it meanwhile races. Short strings, so no memory is freed.
#include <string>
#include <thread>

static std::string name = "first";

int main() {
  std::string seen;
  std::thread writer([] { name = "second"; });
  std::thread reader([&] { seen = name; });
  writer.join();
  reader.join();
}
