// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Correct: one function reads a counter under its lock and, where a guess will do, without it, and tells the detector
// to ignore that. It is the same instruction both times.
#include <mutex>
#include <thread>

extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
}

static std::mutex mutex;
static long counter = 0;

__attribute__((noinline)) static long look() { return counter; }

static long guess() {
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  const long seen = look();
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  return seen;
}

static void work() {
  for (int i = 0; i < 4; ++i) {
    long before = 0;
    {
      std::lock_guard guard(mutex);
      before = look() + look();
      ++counter;
    }
    if (guess() < before / 2) counter = -1;
  }
}

int main() {
  std::thread other(work);
  work();
  other.join();
  return counter == 8 ? 0 : 1;
}
