// SPDX-License-Identifier: Apache-2.0
// What `ravel reproduce` makes of journal_crash.txt (docs/how-to/reproduce-a-crash.md). Run plainly it hardly ever
// fails.
#include <thread>

#include "journal.h"

int main() {
  Journal journal;
  journal.open("hi!");
  std::thread thread1([&] { journal.write("hi!"); });  // the crashing method
  std::thread thread2([&] { journal.close(); });
  thread1.join();
  thread2.join();
}
