// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: the promise is kept before the data that it announces is written.
#include <future>
#include <thread>

static int data = 0;

int main() {
  std::promise<void> written;
  std::future<void> ready = written.get_future();
  std::thread writer([&] {
    written.set_value();
    data = 42;
  });
  ready.wait();
  int seen = data;
  writer.join();
  return seen < 0;
}
