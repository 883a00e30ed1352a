// SPDX-License-Identifier: Apache-2.0
// Each worker writes its cell and reads its neighbour's in the same phase; a barrier stands before the next phase,
// but none between the write and the read.
// FINDING: assertion
#include <array>
#include <atomic>
#include <barrier>
#include <cassert>
#include <thread>

static std::array<std::atomic<int>, 2> cells{};
static std::barrier<> phase(2);

static int step(std::size_t self, int value) {
  cells[self].store(value);                                     // CAUSE: second
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // other work of the phase
  const int neighbour = cells[1 - self].load();                 // CAUSE: first
  phase.arrive_and_wait();
  return neighbour;
}

int main() {
  std::array<int, 2> seen{};
  std::thread left([&] { seen[0] = step(0, 1); });
  std::thread right([&] { seen[1] = step(1, 1); });
  left.join();
  right.join();
  assert(seen[0] + seen[1] == 2);
}
