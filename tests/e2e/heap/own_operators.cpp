// SPDX-License-Identifier: Apache-2.0
// A correct program with operators of its own, only the two that others end in, from a pool: blocks are at the start of
// and inside what malloc gave. Nothing may be found.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace {
std::mutex m;
char* pool = nullptr;
std::size_t left = 0;
std::size_t calls = 0;
}  // namespace

void* operator new(std::size_t size) {
  const std::lock_guard lock(m);
  ++calls;
  size = (size + 15) / 16 * 16;
  if (size > 4096) {
    void* block = std::malloc(size);
    if (block == nullptr) throw std::bad_alloc();
    return block;
  }
  if (left < size) {
    pool = static_cast<char*>(std::malloc(65536));
    left = 65536;
  }
  left -= size;
  return pool + left;
}

void operator delete(void*) noexcept {}

std::size_t calls_so_far() {
  const std::lock_guard lock(m);
  return calls;
}

void work() {
  const std::size_t before = calls_so_far();
  std::vector<std::string> strings;
  for (int i = 0; i < 20; ++i) strings.emplace_back(100, 'x');
  delete[] new char[10];  // ends in the operators above
  delete[] new (std::nothrow) char[10];
  assert(calls_so_far() >= before + 22);
}

int main() {
  std::thread a(work);
  std::thread b(work);
  a.join();
  b.join();
}
