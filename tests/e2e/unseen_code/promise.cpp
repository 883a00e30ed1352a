// SPDX-License-Identifier: Apache-2.0
// A promise that is kept when the thread ends: libstdc++ makes it ready, by an atomic of its own.
#include <cassert>
#include <future>
#include <thread>

#include "racing.h"

int main(int argument_count, char**) {
  racing = argument_count > 1;
  int beside = 0;
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread keeper([&] {
    promise.set_value_at_thread_exit(5);
    beside = 7;
    visit();
  });
  visit();
  assert(future.get() == 5);
  assert(beside == 7);
  keeper.join();
}
