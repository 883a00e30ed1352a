// SPDX-License-Identifier: Apache-2.0
// The application whose crash crash.txt shows: the log is rotated while another thread writes.
#include <thread>

#include "file_appender.h"

int main() {
  log4cpp::FileAppender appender("%m", "app.log", true);
  std::thread worker([&] {
    for (;;) appender.append("x");
  });
  for (;;) {
    appender.activate();
    appender.close();
  }
}
