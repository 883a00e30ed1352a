// SPDX-License-Identifier: Apache-2.0
// A program that crashes in a method of a class, on a thread of its own; or, with an argument, prints the stack from
// there as glibc does. The tests of core files and symbols run it.
#include <execinfo.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

namespace subject {

class Logger {
 public:
  explicit Logger(bool print) : print_(print) {}
  __attribute__((noinline)) int log(int level) { return write(level) + 1; }

 private:
  __attribute__((noinline)) int write(int level) const {
    if (print_) {
      void* addresses[32];
      ::backtrace_symbols_fd(addresses, ::backtrace(addresses, 32), STDOUT_FILENO);
      std::_Exit(0);
    }
    return *static_cast<volatile int*>(target_) + level;
  }

  bool print_;
  int* target_ = nullptr;
};

}  // namespace subject

int main(int argc, char**) {
  subject::Logger logger(argc > 1);
  std::thread worker([&logger] { logger.log(1); });
  worker.join();
}
