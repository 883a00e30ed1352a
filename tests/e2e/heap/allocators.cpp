// SPDX-License-Identifier: Apache-2.0
// A correct program that allocates in every way there is, in two tasks at a time: nothing may be found.
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cassert>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <new>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

struct alignas(64) Wide {
  char bytes[64];
};

struct Virtual {
  virtual ~Virtual() = default;
  int a = 1;
};
struct Derived : Virtual {
  std::string text = "longer than what fits into the string itself";
};

struct Empty {};

// Allocates when a task ends, and frees what another one allocated.
struct AtEnd {
  std::vector<int> values = std::vector<int>(10, 1);
  ~AtEnd() {
    std::vector<int> more(100, 2);
    values.swap(more);
  }
};
thread_local AtEnd at_end;

void c_functions() {
  free(nullptr);
  char* text = strdup("a text");
  assert(strcmp(text, "a text") == 0);
  free(text);
  char* printed = nullptr;
  assert(asprintf(&printed, "%d and %s", 7, "more") == 10);
  free(printed);
  char* line = nullptr;
  size_t length = 0;
  char input[] = "one line\nanother\n";
  FILE* file = fmemopen(input, strlen(input), "r");
  while (getline(&line, &length, file) > 0) {
  }
  free(line);
  fclose(file);
  char* memory = nullptr;
  FILE* stream = open_memstream(&memory, &length);
  for (int i = 0; i < 2000; ++i) fprintf(stream, "line %d\n", i);
  fclose(stream);
  assert(strlen(memory) == length);
  free(memory);
  auto* zeroes = static_cast<int*>(calloc(100, sizeof(int)));
  for (int i = 0; i < 100; ++i) assert(zeroes[i] == 0);
  free(zeroes);
  void* aligned = nullptr;
  assert(posix_memalign(&aligned, 256, 100) == 0 && reinterpret_cast<size_t>(aligned) % 256 == 0);
  free(aligned);
  free(aligned_alloc(128, 256));
  free(memalign(32, 10));
  free(valloc(10));
  free(pvalloc(10));
  void* block = malloc(10);
  assert(malloc_usable_size(block) >= 10);
  free(block);
  free(malloc(0));
  assert(realloc(malloc(10), 0) == nullptr);
  free(realpath("/", nullptr));
}

// Keeps what is in the block, however the size goes.
void reallocations() {
  unsigned char* block = nullptr;
  size_t size = 0;
  unsigned state = 1;
  for (int i = 0; i < 300; ++i) {
    state = state * 1103515245U + 12345U;
    const size_t wanted = 1 + (state >> 16) % (i % 50 == 0 ? 3000000U : 5000U);
    block = static_cast<unsigned char*>(i % 3 == 0 ? reallocarray(block, wanted, 1) : realloc(block, wanted));
    for (size_t k = 0; k < size && k < wanted; k += 97) assert(block[k] == static_cast<unsigned char>(k));
    for (size_t k = 0; k < wanted; ++k) block[k] = static_cast<unsigned char>(k);
    size = wanted;
  }
  free(block);
}

void operators() {
  delete static_cast<int*>(nullptr);
  delete new int(1);
  delete[] new int[10];
  delete new (std::nothrow) int(2);
  delete[] new (std::nothrow) int[3];
  auto* wide = new Wide;
  assert(reinterpret_cast<size_t>(wide) % 64 == 0);
  delete wide;
  delete[] new Wide[3];
  delete new (std::nothrow) Wide;
  delete[] new (std::nothrow) Wide[2];
  delete static_cast<Virtual*>(new Derived);
  delete[] new Derived[4];
  delete new Empty;
  delete[] new Empty[0];
  operator delete(operator new(0));
  operator delete(operator new(10), std::nothrow);
  operator delete[](operator new[](10), std::nothrow);
  operator delete (operator new (10, std::align_val_t{128}), std::align_val_t{128}, std::nothrow);
  operator delete[](operator new[](10, std::align_val_t{128}), std::align_val_t{128}, std::nothrow);
  operator delete (operator new(10), std::size_t{10});
  operator delete[](operator new[](10), std::size_t{10});
  operator delete (operator new (10, std::align_val_t{32}), std::size_t{10}, std::align_val_t{32});
  operator delete[](operator new[](10, std::align_val_t{32}), std::size_t{10}, std::align_val_t{32});
  std::allocator<Wide> allocator;
  allocator.deallocate(allocator.allocate(5), 5);
}

constexpr size_t kTooMuch = size_t{1} << 46;

void failures() {
  volatile size_t too_much = kTooMuch;
  assert(malloc(too_much) == nullptr);
  assert(calloc(too_much, too_much) == nullptr);
  void* kept = malloc(10);
  assert(realloc(kept, too_much) == nullptr);
  free(kept);
  assert(operator new(too_much, std::nothrow) == nullptr);
  bool caught = false;
  try {
    operator delete(operator new(too_much));
  } catch (const std::bad_alloc&) {
    caught = true;
  }
  assert(caught);
  caught = false;
  try {
    operator delete[](operator new[](too_much, std::align_val_t{64}), std::align_val_t{64});
  } catch (const std::bad_alloc&) {
    caught = true;
  }
  assert(caught);
}

void library() {
  std::pmr::monotonic_buffer_resource arena;
  std::pmr::unsynchronized_pool_resource pool(&arena);
  std::pmr::vector<std::pmr::string> strings(&pool);
  for (int i = 0; i < 50; ++i)
    strings.emplace_back("a string that needs memory of its own, number " + std::to_string(i));
  std::pmr::vector<Wide> wides(10, std::pmr::new_delete_resource());
  std::map<int, std::string> map;
  for (int i = 0; i < 50; ++i) map[i] = std::string(static_cast<size_t>(i), 'x');
  std::deque<std::shared_ptr<int>> shared;
  for (int i = 0; i < 50; ++i) shared.push_back(std::make_shared<int>(i));
  std::ostringstream out;
  out << "a stream " << 3.5 << ' ' << map.size();
  const std::function<int()> function = [values = std::vector<int>(10, 1)] { return values[3]; };
  assert(function() == 1);
  std::unique_ptr<int[]> array(new int[7]);
}

std::mutex m;
std::vector<std::unique_ptr<std::string>> handed_over;

void work() {
  at_end.values.push_back(3);
  c_functions();
  operators();
  failures();
  library();
  reallocations();
  const std::lock_guard lock(m);
  if (!handed_over.empty()) handed_over.pop_back();  // allocated by another task
  handed_over.push_back(std::make_unique<std::string>("allocated by one task and freed by another one"));
}

void* before_main = malloc(100);
int* early = new int[3];

int main() {
  std::atexit([] {
    std::vector<int> late(100, 3);
    free(malloc(10));
  });
  std::thread a(work);
  std::thread b(work);
  work();
  a.join();
  b.join();
  free(before_main);
  delete[] early;
}
