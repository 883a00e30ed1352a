// SPDX-License-Identifier: Apache-2.0
// The application whose crash crash.txt shows: a chart is drawn while another thread moves its axis. When an exception
// escapes, it prints its stack with Boost.
#include <cstdlib>
#include <exception>
#include <iostream>
#include <thread>

#include <boost/stacktrace.hpp>

#include "number_axis.h"

namespace {

void print_stack() {
  try {
    std::rethrow_exception(std::current_exception());
  } catch (const std::exception& error) {
    std::cerr << "terminate called after throwing an instance of 'std::invalid_argument'\n  what():  " << error.what()
              << "\n";
  }
  std::cerr << boost::stacktrace::stacktrace();
  std::abort();
}

}  // namespace

int main() {
  std::set_terminate(print_stack);
  charts::NumberAxis axis("time");
  std::thread drawing([&]() noexcept {
    for (;;) axis.value_to_pixel(5, 640);
  });
  for (int i = 0;; i = (i + 1) % 100) axis.set_range(i * 10, i * 10 + 5);
}
