// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: uncaught-exception
// STANDARD: c++20
// A reader that comes before the writer throws, and nothing in its thread catches.
#include <map>
#include <mutex>
#include <string>
#include <thread>

int main() {
  std::mutex mutex;
  std::map<std::string, int> settings;
  std::thread loader([&] {
    std::lock_guard lock(mutex);
    settings["port"] = 80;
  });
  std::thread server([&] {
    std::lock_guard lock(mutex);
    (void)settings.at("port");
  });
  loader.join();
  server.join();
}
