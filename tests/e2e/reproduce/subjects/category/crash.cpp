// SPDX-License-Identifier: Apache-2.0
// The application whose crash crash.txt shows: logging is set up again while another thread looks at it.
#include <thread>

#include "category.h"

int main() {
  log4cpp::Category category("app");
  const auto console = std::make_shared<log4cpp::Appender>("console");
  std::thread monitor([&] {
    for (;;) category.appender_count();
  });
  for (;;) {
    category.add_appender(console);
    category.remove_all_appenders();
  }
}
