// SPDX-License-Identifier: Apache-2.0
// The application whose crash crash.txt shows: the filter is changed while another thread logs.
#include <thread>

#include "logger.h"

namespace {

struct All : logging::Filter {
  bool is_loggable(const logging::LogRecord&) const override { return true; }
};

}  // namespace

int main() {
  logging::Logger logger("app");
  const All all;
  std::thread worker([&] {
    for (;;) logger.info("x");
  });
  for (;;) {
    logger.set_filter(&all);
    logger.set_filter(nullptr);
  }
}
