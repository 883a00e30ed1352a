// SPDX-License-Identifier: Apache-2.0
// A new-handler that makes room: the allocation succeeds at the second try. Another one gives up. Nothing may be found.
#include <sys/resource.h>

#include <cassert>
#include <cstdlib>
#include <new>
#include <thread>

void* reserve = nullptr;
int asked = 0;
constexpr std::size_t kReserve = std::size_t{64} << 20;

void make_room() {
  ++asked;
  if (reserve == nullptr) throw std::bad_alloc();
  std::free(reserve);
  reserve = nullptr;
}

void work() {
  reserve = std::malloc(kReserve);
  // No further address space from here on.
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = 0;
  setrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = before;
  void* (*volatile allocate)(std::size_t) = [](std::size_t size) { return operator new(size); };
  void* block = nullptr;
  bool caught = false;
  try {
    block = allocate(kReserve);
  } catch (const std::bad_alloc&) {
    caught = true;
  }
  setrlimit(RLIMIT_AS, &limit);
  // What was freed may not be enough for the limit of nothing: then the handler was asked again and gave up.
  assert(asked >= 1 && reserve == nullptr);
  assert(caught || block != nullptr);
  operator delete(block);
}

int main() {
  std::set_new_handler(make_room);
  std::thread other([] { delete new int(1); });
  std::thread task(work);
  task.join();
  other.join();
}
