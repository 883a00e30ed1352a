// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: the counter of a seqlock tells the reader to throw its copy away, but the copy itself was a race already.
#include <atomic>
#include <thread>

static std::atomic<unsigned> version{0};
static int left = 0;
static int right = 0;

static void write(int value) {
  version.fetch_add(1);
  left = value;
  right = value;
  version.fetch_add(1);
}

static bool read(int& a, int& b) {
  unsigned before = version.load();
  a = left;
  b = right;
  return before % 2 == 0 && version.load() == before;
}

int main() {
  std::thread reader([] {
    int a = 0;
    int b = 0;
    while (!read(a, b)) std::this_thread::yield();
  });
  std::thread writer([] {
    write(1);
    write(2);
  });
  writer.join();
  reader.join();
}
