// SPDX-License-Identifier: Apache-2.0
// The application whose crash crash.txt shows: one thread shows figures while another one closes pools.
#include <thread>

#include "per_user_pool.h"

int main() {
  dbcp::PerUserPoolDataSource source;
  std::thread statistics([&] {
    for (;;) source.get_num_idle();
  });
  for (;;) {
    source.return_connection(source.get_connection("ann"));
    source.close_user("ann");
  }
}
