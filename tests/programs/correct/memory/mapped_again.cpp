// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Threads that map, use and unmap memory of their own: the system hands out the same addresses again, and nothing
// orders what one thread did there with what the next one does.
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdlib>
#include <thread>

namespace {

constexpr std::size_t kBytes = 64 << 10;

void use(void* memory) {
  auto* const numbers = static_cast<int*>(memory);
  for (int i = 0; i < 3; ++i) numbers[i] += i;
  auto* const number = reinterpret_cast<std::atomic<int>*>(numbers + 16);
  if (number->load(std::memory_order_relaxed) != 0) std::abort();  // new memory holds zeroes
  number->store(5, std::memory_order_relaxed);
}

void* map(int flags) {
  void* const memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  return memory;
}

void map_and_unmap(int flags) {
  void* const memory = map(flags);
  use(memory);
  munmap(memory, kBytes);
}

void move() {
  void* memory = map(MAP_PRIVATE);
  use(memory);
  memory = mremap(memory, kBytes, 64 * kBytes, MREMAP_MAYMOVE);
  if (memory == MAP_FAILED) std::abort();
  use(static_cast<char*>(memory) + kBytes);
  munmap(memory, 64 * kBytes);
}

void attach() {
  const int segment = shmget(IPC_PRIVATE, kBytes, S_IRUSR | S_IWUSR);
  void* const memory = shmat(segment, nullptr, 0);
  shmctl(segment, IPC_RMID, nullptr);
  if (memory == reinterpret_cast<void*>(-1)) return;  // not everywhere allowed
  use(memory);
  shmdt(memory);
}

void empty() {
  void* const memory = map(MAP_PRIVATE);
  use(memory);
  if (madvise(memory, kBytes, MADV_DONTNEED) == 0) use(memory);
  munmap(memory, kBytes);
}

void work() {
  map_and_unmap(MAP_PRIVATE);
  map_and_unmap(MAP_SHARED);
  move();
  attach();
  empty();
}

}  // namespace

int main() {
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
}
