// SPDX-License-Identifier: Apache-2.0
// Two jobs need the printer and the scanner, each a semaphore of one, and take them in opposite orders.
// FINDING: deadlock
#include <semaphore>
#include <thread>

static std::binary_semaphore printer{1};
static std::binary_semaphore scanner{1};

static void copy() {
  scanner.acquire();
  printer.acquire();  // CAUSE: first
  printer.release();
  scanner.release();
}

static void print_test_page() {
  printer.acquire();
  scanner.acquire();  // CAUSE: second
  scanner.release();
  printer.release();
}

int main() {
  std::thread one(copy);
  std::thread two(print_test_page);
  one.join();
  two.join();
}
