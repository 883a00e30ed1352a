// SPDX-License-Identifier: Apache-2.0
// The application whose crash crash.txt shows: connections are closed while a listener comes and goes.
#include <thread>

#include "shared_pool.h"

namespace {

struct Counter : dbcp::ConnectionListener {
  void connection_closed(int) override { ++closed; }
  void connection_failed(int, const std::string&) override {}
  int closed = 0;
};

}  // namespace

int main() {
  dbcp::SharedPoolDataSource source;
  Counter counter;
  std::thread worker([&] {
    for (;;) source.close_connection(source.get_connection());
  });
  for (;;) {
    source.add_listener(&counter);
    source.remove_listener(&counter);
  }
}
