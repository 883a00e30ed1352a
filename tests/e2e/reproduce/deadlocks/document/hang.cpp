// SPDX-License-Identifier: Apache-2.0
// The application whose threads hang in crash.txt.
#include <thread>

#include "document.h"

int main() {
  Document document("x");
  std::thread editor([&] {
    for (;;) document.append("");
  });
  for (;;) document.undo();
}
