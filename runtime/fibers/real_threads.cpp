// SPDX-License-Identifier: Apache-2.0
#include "runtime/fibers/real_threads.h"

#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "base/check.h"
#include "base/raw_syscall.h"

namespace ravel {
namespace {

using PthreadCreate = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

using PthreadGetattr = int (*)(pthread_t, pthread_attr_t*);

constexpr std::size_t kContextChunk = 1U << 16;

// What real threads are made with. Everything but the chunk is looked up once; two threads may do so at the same time.
// Contexts are for the running task.
struct RealThreads {
  PthreadCreate create = nullptr;
  PthreadGetattr getattr = nullptr;
  std::uint64_t thread_local_bytes = 0;
  char* chunk = nullptr;  // where the next context comes from
  std::size_t chunk_used = kContextChunk;
};
constinit RealThreads g_real_threads;

// dlsym, not the symbols: they are what we interpose.
template <typename Function>
Function find_real(Function& function, const char* name) {
  if (function == nullptr) function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
  RAVEL_CHECK(function != nullptr, "a function of pthreads was not found in libc");
  return function;
}

// How far below the thread pointer the thread-local variables reach that every thread gets with its stack. A module
// loaded later has its variables in heap blocks, which are nowhere near.
std::uint64_t thread_local_bytes() {
  std::uint64_t& bytes = g_real_threads.thread_local_bytes;
  if (bytes != 0) return bytes;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 20;
  const auto visit = [](dl_phdr_info* module, std::size_t, void* result) {
    const std::uint64_t distance = pthread_self() - reinterpret_cast<std::uint64_t>(module->dlpi_tls_data);
    if (module->dlpi_tls_data != nullptr && distance <= kMost) {
      auto& most = *static_cast<std::uint64_t*>(result);
      most = std::max(most, distance);
    }
    return 0;
  };
  dl_iterate_phdr(visit, &bytes);
  return bytes;
}

}  // namespace

CarrierContext* new_context() {
  // A bump allocator over anonymous memory: contexts are never freed.
  char*& chunk = g_real_threads.chunk;
  std::size_t& used = g_real_threads.chunk_used;
  if (used + sizeof(CarrierContext) > kContextChunk) {
    const long memory =
        raw_syscall(SYS_mmap, 0, kContextChunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    RAVEL_CHECK(memory > 0, "no memory for task contexts");
    chunk = reinterpret_cast<char*>(memory);
    used = 0;
  }
  auto* context = new (chunk + used) CarrierContext;
  used += (sizeof(CarrierContext) + 63) & ~std::size_t{63};
  return context;
}

int start_real_thread(pthread_t* handle, const pthread_attr_t* attributes, void* (*body)(void*), void* argument) {
  pthread_attr_t own;
  pthread_attr_init(&own);
  if (attributes != nullptr) {
    // Only what concerns memory is taken over: detach state is Ravel's business (the OS thread never ends), and
    // scheduling parameters would let the system choose an order.
    void* stack = nullptr;
    std::size_t size = 0;
    pthread_attr_getstack(attributes, &stack, &size);
    if (names_stack(attributes)) {
      pthread_attr_setstack(&own, stack, size);
    } else {
      std::size_t guard = 0;
      pthread_attr_getstacksize(attributes, &size);
      pthread_attr_getguardsize(attributes, &guard);
      pthread_attr_setstacksize(&own, size);
      pthread_attr_setguardsize(&own, guard);
    }
  }
  // Signals are for tasks, and the OS thread that carries them is another one: helpers must never be picked for
  // delivery.
  const std::uint64_t before = set_signal_mask(kEverySignal);
  const int error = find_real(g_real_threads.create, "pthread_create")(handle, &own, body, argument);
  set_signal_mask(before);
  pthread_attr_destroy(&own);
  return error;
}

std::uint64_t set_signal_mask(std::uint64_t mask) {
  std::uint64_t before = 0;
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&mask), reinterpret_cast<long>(&before),
              sizeof mask);
  return before;
}

std::uint64_t signal_mask() {
  std::uint64_t mask = 0;
  raw_syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, reinterpret_cast<long>(&mask), sizeof mask);
  return mask;
}

bool names_stack(const pthread_attr_t* attributes) {
  if (attributes == nullptr) return false;
  void* stack = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(attributes, &stack, &size);
  // Without a user stack getstack reports an address computed from nothing: at or below -size.
  return stack != nullptr && reinterpret_cast<std::uint64_t>(stack) < (std::uint64_t{1} << 47);
}

std::uint64_t default_stack_size() {
  pthread_attr_t defaults;
  std::size_t size = 0;
  if (pthread_getattr_default_np(&defaults) == 0) {
    pthread_attr_getstacksize(&defaults, &size);
    pthread_attr_destroy(&defaults);
  }
  return size;
}

bool fits_default_stack(const pthread_attr_t* attributes) {
  if (attributes == nullptr) return true;
  if (names_stack(attributes)) return false;
  std::size_t size = 0;
  pthread_attr_getstacksize(attributes, &size);
  return size <= default_stack_size();
}

void read_memory_bounds(CarrierContext& context) {
  pthread_attr_t attributes;
  if (find_real(g_real_threads.getattr, "pthread_getattr_np")(pthread_self(), &attributes) != 0) return;
  void* stack = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &stack, &size);
  pthread_attr_destroy(&attributes);
  context.stack_low = reinterpret_cast<std::uint64_t>(stack);
  context.stack_high = context.stack_low + size;
  // On x86-64 the thread pointer is what pthread_self returns, and variables are below it.
  context.tls_high = pthread_self();
  context.tls_low = context.tls_high - thread_local_bytes();
}

long syscall_futex(std::uint32_t* word, int operation, std::uint32_t value) {
  return raw_syscall(SYS_futex, reinterpret_cast<long>(word), operation, static_cast<long>(value));
}

}  // namespace ravel
