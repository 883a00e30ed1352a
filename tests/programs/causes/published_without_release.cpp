// SPDX-License-Identifier: Apache-2.0
// A producer fills a record and says so with a relaxed store; the consumer's acquire has nothing to synchronise with.
// FINDING: data-race, assertion
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

struct Reading {
  std::string unit;
  int value = 0;
};

static Reading reading;
static std::atomic<bool> ready{false};

int main() {
  std::thread sensor([] {
    reading.unit = "mm";
    reading.value = 17;  // CAUSE: first
    ready.store(true, std::memory_order_relaxed);
  });
  std::thread display([] {
    if (!ready.load(std::memory_order_acquire)) return;
    assert(reading.value == 17);  // CAUSE: second
  });
  sensor.join();
  display.join();
}
