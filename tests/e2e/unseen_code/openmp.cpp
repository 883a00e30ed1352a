// SPDX-License-Identifier: Apache-2.0
// libgomp: a reduction, a barrier and a critical section. The race is with a thread that libgomp knows nothing of: each
// execution takes seconds, as Ravel does not see its waits, so the race must show itself in the first one.
#include <omp.h>

#include <cassert>
#include <thread>

#include "racing.h"

int main(int argument_count, char**) {
  racing = argument_count > 1;
  std::thread bystander(visit);
  constexpr int kThreads = 2;
  omp_set_num_threads(kThreads);
  int part[kThreads] = {};
  int seen = 0;
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    const int me = omp_get_thread_num();
    part[me] = me + 1;
    visit();
#pragma omp barrier
    sum += part[kThreads - 1 - me];
#pragma omp critical
    ++seen;
  }
  bystander.join();
  assert(sum == 3 && seen == kThreads);
}
