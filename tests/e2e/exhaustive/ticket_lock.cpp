// SPDX-License-Identifier: Apache-2.0
// A ticket lock around a plain counter. Correct with acquire and release; without them (argument "weak") the
// sections are not ordered under the C++ model, which is a race. Drawing the ticket in two steps (argument "torn")
// gives two tasks the same ticket in both models.
//
//   proved: sc c11
//   refuted: c11 weak
//   refuted: sc torn
//   refuted: c11 torn
#include <string.h>

#include <atomic>

#include "together.h"

std::atomic<int> next_ticket;
std::atomic<int> serving;
int counter = 0;
bool weak = false;
bool torn = false;

int draw() {
  if (!torn) return next_ticket.fetch_add(1, std::memory_order_relaxed);
  const int ticket = next_ticket.load(std::memory_order_relaxed);
  next_ticket.store(ticket + 1, std::memory_order_relaxed);
  return ticket;
}

void work() {
  const int ticket = draw();
  while (serving.load(weak ? std::memory_order_relaxed : std::memory_order_acquire) != ticket) {
  }
  ++counter;
  serving.store(ticket + 1, weak ? std::memory_order_relaxed : std::memory_order_release);
}

int main(int argc, char** argv) {
  weak = argc > 1 && strcmp(argv[1], "weak") == 0;
  torn = argc > 1 && strcmp(argv[1], "torn") == 0;
  together(work, work);
  require(counter == 2);
}
