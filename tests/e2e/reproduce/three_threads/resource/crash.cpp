// SPDX-License-Identifier: Apache-2.0
// The application whose crash crash.txt shows.
#include <thread>

#include "resource.h"

int main() {
  Resource resource;
  std::thread user([&] {
    for (;;) resource.use();
  });
  std::thread collector([&] {
    for (;;) {
      resource.collect();
      resource.restore();
    }
  });
  for (;;) {
    resource.retain();
    resource.release();
  }
}
