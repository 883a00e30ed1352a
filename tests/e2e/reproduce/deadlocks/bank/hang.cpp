// SPDX-License-Identifier: Apache-2.0
// The application whose threads hang in crash.txt.
#include <thread>

#include "bank.h"

int main() {
  Bank bank;
  bank.open(1);
  std::thread worker([&] {
    for (;;) bank.deposit(1, 5);
  });
  for (;;) bank.report();
}
