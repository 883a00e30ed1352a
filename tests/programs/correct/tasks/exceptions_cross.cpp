// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// STANDARD: c++20
// Exceptions cross tasks through a future, a promise and an exception_ptr, and are caught where they arrive.
#include <cassert>
#include <exception>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

int main() {
  std::future<void> failing = std::async(std::launch::async, [] { throw std::runtime_error("from async"); });
  std::exception_ptr carried;
  std::thread thrower([&] {
    try {
      throw std::logic_error("carried");
    } catch (...) {
      carried = std::current_exception();
    }
  });
  std::promise<int> promise;
  std::future<int> broken = promise.get_future();
  std::thread setter([&] {
    try {
      try {
        throw std::out_of_range("inner");
      } catch (const std::out_of_range&) {
        std::throw_with_nested(std::runtime_error("outer"));
      }
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  });
  int caught = 0;
  try {
    failing.get();
  } catch (const std::runtime_error& error) {
    caught += std::string(error.what()) == "from async";
  }
  thrower.join();
  try {
    std::rethrow_exception(carried);
  } catch (const std::logic_error&) {
    ++caught;
  }
  try {
    broken.get();
  } catch (const std::runtime_error& error) {
    try {
      std::rethrow_if_nested(error);
    } catch (const std::out_of_range&) {
      ++caught;
    }
  }
  setter.join();
  assert(caught == 3);
}
