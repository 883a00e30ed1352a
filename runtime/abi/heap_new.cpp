// SPDX-License-Identifier: Apache-2.0
// operator new and delete, in all forms of C++20, under the names the compiler gives them. They allocate like malloc
// and note by which operator, so that a block freed by another one is noticed.
//
// What they do not do themselves is left to the C++ run-time library, found after us in the search order at the first
// use: everything in a process that Ravel did not start; a failed allocation (new-handler, std::bad_alloc, which passes
// through here: this code has nothing to clean up); and everything in a program that replaces one of the operators,
// since the others must then lead to it. A program that replaces all of them never gets here.
#include "runtime/abi/heap_new.h"

#include <dlfcn.h>
#include <stddef.h>

#include "base/check.h"
#include "runtime/abi/export.h"
#include "runtime/interpose/heap_operations.h"
#include "runtime/interpose/runtime_mode.h"

extern "C" {
void* __libc_malloc(size_t size);                  // NOLINT: glibc's names
void* __libc_memalign(size_t align, size_t size);  // NOLINT
void __libc_free(void* block);                     // NOLINT
}

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

// RAVEL_OPERATOR(name, result, parameters): std::align_val_t is passed like size_t, a reference like a pointer.
#define RAVEL_OPERATORS(RAVEL_OPERATOR)                                                    \
  RAVEL_OPERATOR(_Znwm, void*, (size_t))                                                   \
  RAVEL_OPERATOR(_Znam, void*, (size_t))                                                   \
  RAVEL_OPERATOR(_ZnwmRKSt9nothrow_t, void*, (size_t, const void*))                        \
  RAVEL_OPERATOR(_ZnamRKSt9nothrow_t, void*, (size_t, const void*))                        \
  RAVEL_OPERATOR(_ZnwmSt11align_val_t, void*, (size_t, size_t))                            \
  RAVEL_OPERATOR(_ZnamSt11align_val_t, void*, (size_t, size_t))                            \
  RAVEL_OPERATOR(_ZnwmSt11align_val_tRKSt9nothrow_t, void*, (size_t, size_t, const void*)) \
  RAVEL_OPERATOR(_ZnamSt11align_val_tRKSt9nothrow_t, void*, (size_t, size_t, const void*)) \
  RAVEL_OPERATOR(_ZdlPv, void, (void*))                                                    \
  RAVEL_OPERATOR(_ZdaPv, void, (void*))                                                    \
  RAVEL_OPERATOR(_ZdlPvm, void, (void*, size_t))                                           \
  RAVEL_OPERATOR(_ZdaPvm, void, (void*, size_t))                                           \
  RAVEL_OPERATOR(_ZdlPvRKSt9nothrow_t, void, (void*, const void*))                         \
  RAVEL_OPERATOR(_ZdaPvRKSt9nothrow_t, void, (void*, const void*))                         \
  RAVEL_OPERATOR(_ZdlPvSt11align_val_t, void, (void*, size_t))                             \
  RAVEL_OPERATOR(_ZdaPvSt11align_val_t, void, (void*, size_t))                             \
  RAVEL_OPERATOR(_ZdlPvmSt11align_val_t, void, (void*, size_t, size_t))                    \
  RAVEL_OPERATOR(_ZdaPvmSt11align_val_t, void, (void*, size_t, size_t))                    \
  RAVEL_OPERATOR(_ZdlPvSt11align_val_tRKSt9nothrow_t, void, (void*, size_t, const void*))  \
  RAVEL_OPERATOR(_ZdaPvSt11align_val_tRKSt9nothrow_t, void, (void*, size_t, const void*))

#define RAVEL_DECLARE(name, result, parameters) RAVEL_EXPORT result name parameters;
RAVEL_OPERATORS(RAVEL_DECLARE)

namespace {

using ravel::CallSite;
using ravel::HeapKind;
using ravel::kAnySize;

struct Operators {
#define RAVEL_MEMBER(name, result, parameters) result(*name) parameters;
  RAVEL_OPERATORS(RAVEL_MEMBER)
  bool replaced;  // the program has at least one of its own
  bool loaded;    // set last
};
constinit Operators g_operators = {};

// The run-time library may be loaded by the program long after us, out of our sight.
void* next_operator(const char* name) {
  if (void* found = dlsym(RTLD_NEXT, name)) return found;
  for (const char* library : {"libstdc++.so.6", "libc++.so.1", "libc++abi.so.1"}) {
    void* handle = dlopen(library, RTLD_NOLOAD | RTLD_LAZY);
    if (handle == nullptr) continue;
    void* found = dlsym(handle, name);
    dlclose(handle);
    if (found != nullptr) return found;
  }
  return nullptr;
}

// Does this name lead the program to a function other than ours? Taking the address of ours does not answer that: the
// linker gives everybody, us included, the address of the one that is called.
bool is_replaced(const char* name) {
  Dl_info called{};
  Dl_info self{};
  void* found = dlsym(RTLD_DEFAULT, name);
  return found != nullptr && dladdr(found, &called) != 0 &&
         dladdr(reinterpret_cast<void*>(&next_operator), &self) != 0 && called.dli_fbase != self.dli_fbase;
}

// Twice at the same time is harmless: both find the same.
void load_operators() {
  Operators& real = g_operators;
  bool replaced = false;
#define RAVEL_LOAD(name, result, parameters)                               \
  real.name = reinterpret_cast<decltype(real.name)>(next_operator(#name)); \
  replaced = replaced || is_replaced(#name);
  RAVEL_OPERATORS(RAVEL_LOAD)
  if (replaced) ravel::heap_operators_are_replaced();
  real.replaced = replaced;
  __atomic_store_n(&real.loaded, true, __ATOMIC_RELEASE);
}

const Operators& operators() {
  if (!__atomic_load_n(&g_operators.loaded, __ATOMIC_ACQUIRE)) [[unlikely]]
    load_operators();
  return g_operators;
}

// Without a run-time library there is nothing to leave it to, and no operator that could have been replaced.
template <typename Real>
bool leave_to(Real real) {
  return (g_operators.replaced || !ravel::runtime_active()) && real != nullptr;
}

inline void* noted(void* block, size_t size, HeapKind kind, CallSite pc) {
  return ravel::runtime_active() ? ravel::heap_allocated(block, size, kind, pc) : block;
}

inline void* allocated(size_t size, HeapKind kind, CallSite pc) {
  return noted(__libc_malloc(size == 0 ? 1 : size), size, kind, pc);
}

inline void* allocated(size_t size, size_t align, HeapKind kind, CallSite pc) {
  if (align == 0 || (align & (align - 1)) != 0) return nullptr;
  return noted(__libc_memalign(align, size == 0 ? 1 : size), size, kind, pc);
}

// There was no memory: the run-time library tries again and knows what to do.
template <typename Real, typename... Arguments>
void* tried_again(Real real, HeapKind kind, size_t size, Arguments... arguments) {
  RAVEL_CHECK(real != nullptr, "the program uses operator new but has no C++ runtime library");
  void* block = real(size, arguments...);
  if (block != nullptr) ravel::heap_block_is_from(block, kind);
  return block;
}

inline void freed(void* block, HeapKind kind, size_t size, CallSite pc) {
  if (block == nullptr) return;
  if (ravel::runtime_active()) {
    ravel::heap_free(block, kind, size, pc);
  } else {
    __libc_free(block);
  }
}

}  // namespace

void ravel::find_operators() {
  if (!g_operators.loaded && next_operator("_Znwm") != nullptr) load_operators();
}

#define RAVEL_NEW(name, kind)                                             \
  void* name(size_t size) {                                               \
    const Operators& real = operators();                                  \
    if (leave_to(real.name)) return real.name(size);                      \
    void* block = allocated(size, kind, RAVEL_CALL_SITE);                 \
    return block != nullptr ? block : tried_again(real.name, kind, size); \
  }
#define RAVEL_NEW_NOTHROW(name, kind)                                              \
  void* name(size_t size, const void* nothrow) {                                   \
    const Operators& real = operators();                                           \
    if (leave_to(real.name)) return real.name(size, nothrow);                      \
    void* block = allocated(size, kind, RAVEL_CALL_SITE);                          \
    return block != nullptr ? block : tried_again(real.name, kind, size, nothrow); \
  }
#define RAVEL_NEW_ALIGNED(name, kind)                                            \
  void* name(size_t size, size_t align) {                                        \
    const Operators& real = operators();                                         \
    if (leave_to(real.name)) return real.name(size, align);                      \
    void* block = allocated(size, align, kind, RAVEL_CALL_SITE);                 \
    return block != nullptr ? block : tried_again(real.name, kind, size, align); \
  }
#define RAVEL_NEW_ALIGNED_NOTHROW(name, kind)                                             \
  void* name(size_t size, size_t align, const void* nothrow) {                            \
    const Operators& real = operators();                                                  \
    if (leave_to(real.name)) return real.name(size, align, nothrow);                      \
    void* block = allocated(size, align, kind, RAVEL_CALL_SITE);                          \
    return block != nullptr ? block : tried_again(real.name, kind, size, align, nothrow); \
  }
#define RAVEL_DELETE(name, kind, size, parameters, arguments) \
  void name parameters {                                      \
    const Operators& real = operators();                      \
    if (leave_to(real.name)) return real.name arguments;      \
    freed(block, kind, size, RAVEL_CALL_SITE);                \
  }

RAVEL_NEW(_Znwm, HeapKind::new_object)
RAVEL_NEW(_Znam, HeapKind::new_array)
RAVEL_NEW_NOTHROW(_ZnwmRKSt9nothrow_t, HeapKind::new_object)
RAVEL_NEW_NOTHROW(_ZnamRKSt9nothrow_t, HeapKind::new_array)
RAVEL_NEW_ALIGNED(_ZnwmSt11align_val_t, HeapKind::new_aligned)
RAVEL_NEW_ALIGNED(_ZnamSt11align_val_t, HeapKind::new_aligned_array)
RAVEL_NEW_ALIGNED_NOTHROW(_ZnwmSt11align_val_tRKSt9nothrow_t, HeapKind::new_aligned)
RAVEL_NEW_ALIGNED_NOTHROW(_ZnamSt11align_val_tRKSt9nothrow_t, HeapKind::new_aligned_array)

RAVEL_DELETE(_ZdlPv, HeapKind::new_object, kAnySize, (void* block), (block))
RAVEL_DELETE(_ZdaPv, HeapKind::new_array, kAnySize, (void* block), (block))
RAVEL_DELETE(_ZdlPvm, HeapKind::new_object, size, (void* block, size_t size), (block, size))
RAVEL_DELETE(_ZdaPvm, HeapKind::new_array, size, (void* block, size_t size), (block, size))
RAVEL_DELETE(_ZdlPvRKSt9nothrow_t, HeapKind::new_object, kAnySize, (void* block, const void* nothrow), (block, nothrow))
RAVEL_DELETE(_ZdaPvRKSt9nothrow_t, HeapKind::new_array, kAnySize, (void* block, const void* nothrow), (block, nothrow))
RAVEL_DELETE(_ZdlPvSt11align_val_t, HeapKind::new_aligned, kAnySize, (void* block, size_t align), (block, align))
RAVEL_DELETE(_ZdaPvSt11align_val_t, HeapKind::new_aligned_array, kAnySize, (void* block, size_t align), (block, align))
RAVEL_DELETE(_ZdlPvmSt11align_val_t, HeapKind::new_aligned, size, (void* block, size_t size, size_t align),
             (block, size, align))
RAVEL_DELETE(_ZdaPvmSt11align_val_t, HeapKind::new_aligned_array, size, (void* block, size_t size, size_t align),
             (block, size, align))
RAVEL_DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, HeapKind::new_aligned, kAnySize,
             (void* block, size_t align, const void* nothrow), (block, align, nothrow))
RAVEL_DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, HeapKind::new_aligned_array, kAnySize,
             (void* block, size_t align, const void* nothrow), (block, align, nothrow))

// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
