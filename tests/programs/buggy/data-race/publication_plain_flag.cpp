// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: a plain flag orders nothing. Neither the flag nor the data it announces may be read while another task
// writes.
#include <thread>

static int data = 0;
static bool ready = false;
static int seen = 0;

int main() {
  std::thread writer([] {
    data = 42;
    ready = true;
  });
  std::thread reader([] {
    if (ready) seen = data;
  });
  writer.join();
  reader.join();
}
