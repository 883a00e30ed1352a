// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Two tasks talk through pipes; reads block until the other side has written.
#include <unistd.h>

#include <cassert>
#include <thread>

int main() {
  int there[2];
  int back[2];
  assert(pipe(there) == 0 && pipe(back) == 0);
  std::thread doubler([&] {
    int value = 0;
    while (read(there[0], &value, sizeof value) == static_cast<ssize_t>(sizeof value)) {
      value *= 2;
      assert(write(back[1], &value, sizeof value) == static_cast<ssize_t>(sizeof value));
    }
    close(back[1]);
  });
  for (int i = 1; i <= 3; ++i) {
    int value = i;
    assert(write(there[1], &value, sizeof value) == static_cast<ssize_t>(sizeof value));
    assert(read(back[0], &value, sizeof value) == static_cast<ssize_t>(sizeof value));
    assert(value == 2 * i);
  }
  close(there[1]);
  char end = 0;
  assert(read(back[0], &end, 1) == 0);
  doubler.join();
  close(there[0]);
  close(back[0]);
}
