// SPDX-License-Identifier: Apache-2.0
// An exception lets go of the lock on its way: what would have been overwritten is seen after all.
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

std::mutex lock;
int n = 0;  // [start]

void check(const std::string& text) {
  if (text.empty()) throw std::runtime_error("empty");  // text = given
}

int main(int argc, char** argv) {
  const std::string text = argc > 1 ? argv[1] : "";  // [given]
  std::thread writes([&text] {
    try {
      std::lock_guard<std::mutex> guard(lock);
      n = 1;  // [one]
      check(text);
      n = 2;  // [two]
    } catch (const std::exception&) {
      std::printf("%d\n", n);  // n = one
    }
  });
  std::thread reads([] {
    std::lock_guard<std::mutex> guard(lock);
    std::printf("%d\n", n);  // n = π start one two
  });
  writes.join();
  reads.join();
}
