// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: volatile is for devices; in C++ it neither makes an access atomic nor orders others.
#include <thread>

static int data = 0;
static volatile bool ready = false;
static int seen = 0;

int main() {
  std::thread writer([] {
    data = 42;
    ready = true;
  });
  std::thread reader([] {
    while (!ready) std::this_thread::yield();
    seen = data;
  });
  writer.join();
  reader.join();
}
