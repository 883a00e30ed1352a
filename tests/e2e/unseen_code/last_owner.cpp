// SPDX-License-Identifier: Apache-2.0
// The last owner of a shared object is a thread of a library that is not instrumented: it frees what the program wrote
// and then let go of. Only the count, which the library reads unseen, orders the two.
#include <memory>
#include <thread>

#include "racing.h"

std::thread keep(std::shared_ptr<int> object);

int main(int argument_count, char**) {
  racing = argument_count > 1;
  std::shared_ptr<int> object(new int(5));
  std::thread keeper = keep(object);
  std::thread other(visit);
  visit();
  *object = 6;
  object.reset();
  keeper.join();
  other.join();
}
