// SPDX-License-Identifier: Apache-2.0
// The application whose crash crash.txt shows. It prints its own stack, as servers do, when it dies of a signal.
#include <execinfo.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <stdexcept>
#include <thread>

#include "pushback_reader.h"

namespace {

void print_stack(int) {
  void* frames[64];
  backtrace_symbols_fd(frames, backtrace(frames, 64), STDERR_FILENO);
  _exit(1);
}

}  // namespace

int main() {
  std::signal(SIGSEGV, print_stack);
  for (;;) {
    streams::PushbackReader stream("some text", 4);
    std::atomic<bool> working = false;
    std::thread worker([&] {
      try {
        for (;;) {
          stream.unread('x');
          stream.read();
          working = true;
        }
      } catch (const std::runtime_error&) {
      }
    });
    while (!working) {
    }
    stream.close();
    worker.join();
  }
}
