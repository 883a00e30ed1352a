// SPDX-License-Identifier: Apache-2.0
// A sequence lock (Boehm, MSPC 2012): the reader takes two values that belong together, or fails. Correct
// with the fences; without them (argument "weak") the values may be torn under the C++ model. A reader that does not
// look at the number again (argument "careless") is wrong in both.
//
//   proved: sc c11
//   refuted: c11 weak
//   refuted: sc careless
//   refuted: c11 careless
#include <string.h>

#include <atomic>

#include "together.h"

std::atomic<unsigned> number;
std::atomic<int> a, b;
bool weak = false;
bool careless = false;

void fence(std::memory_order order) {
  if (!weak) std::atomic_thread_fence(order);
}

void write_both() {
  number.store(1, std::memory_order_relaxed);
  fence(std::memory_order_release);
  a.store(1, std::memory_order_relaxed);
  b.store(1, std::memory_order_relaxed);
  number.store(2, weak ? std::memory_order_relaxed : std::memory_order_release);
}

// One attempt: the question is whether an attempt that succeeds is right; going round again is the same anew.
void read_both() {
  const unsigned before = number.load(std::memory_order_acquire);
  const int seen_a = a.load(std::memory_order_relaxed);
  const int seen_b = b.load(std::memory_order_relaxed);
  fence(std::memory_order_acquire);
  if ((before & 1) != 0) return;
  if (!careless && number.load(std::memory_order_relaxed) != before) return;
  require(seen_a == seen_b);
}

int main(int argc, char** argv) {
  weak = argc > 1 && strcmp(argv[1], "weak") == 0;
  careless = argc > 1 && strcmp(argv[1], "careless") == 0;
  together(write_both, read_both);
}
