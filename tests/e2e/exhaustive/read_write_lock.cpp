// SPDX-License-Identifier: Apache-2.0
// Two readers and a writer of a read-write lock. Readers do not notice each other; each is before or after the
// writer: 2 * 2 = 4.
//
//   sc: 4
//   c11: 4
#include <shared_mutex>

#include "together.h"

std::shared_mutex m;
int value = 0;
int seen[2];

int main() {
  together(
      [] {
        const std::shared_lock lock(m);
        seen[0] = value;
      },
      [] {
        const std::lock_guard lock(m);
        value = 1;
      },
      [] {
        const std::shared_lock lock(m);
        seen[1] = value;
      });
}
