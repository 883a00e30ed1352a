// SPDX-License-Identifier: Apache-2.0
//
// Functions of libc on memory and strings, as instrumented code calls them: the compilers do not announce what these
// read and write. Before the real function is called, its accesses are announced, each a scheduling point of its own
// where the memory is shared: another task may come between.
//
// Every program calls these all the time, and before anything of ours is ready: unless the caller is instrumented code,
// all they add is one look at who calls.
#include <dlfcn.h>

#include <cstddef>
#include <cstdint>

#include "runtime/abi/export.h"
#include "runtime/interpose/instrumented_modules.h"
#include "runtime/interpose/memory_operations.h"
#include "runtime/interpose/points.h"
#include "runtime/interpose/runtime_mode.h"

extern "C" {
void* ravel_plain_memcpy(void* to, const void* from, std::size_t bytes);
void* ravel_plain_memmove(void* to, const void* from, std::size_t bytes);
void* ravel_plain_memset(void* start, int byte, std::size_t bytes);
int ravel_plain_memcmp(const void* a, const void* b, std::size_t bytes);
void* ravel_plain_memchr(const void* start, int byte, std::size_t bytes);
std::size_t ravel_plain_strlen(const char* text);
int ravel_plain_strcmp(const char* a, const char* b);
int ravel_plain_strncmp(const char* a, const char* b, std::size_t most);
char* ravel_plain_strchr(const char* text, int wanted);
char* ravel_plain_strrchr(const char* text, int wanted);
}

namespace {

using ravel::OperationKind;

// The real functions: our own plain ones until they have been found, because finding them may call these.
struct Real {
  bool looked_for = false;
  decltype(&ravel_plain_memcpy) memcpy = &ravel_plain_memcpy;
  decltype(&ravel_plain_memmove) memmove = &ravel_plain_memmove;
  decltype(&ravel_plain_memset) memset = &ravel_plain_memset;
  decltype(&ravel_plain_memcmp) memcmp = &ravel_plain_memcmp;
  decltype(&ravel_plain_memchr) memchr = &ravel_plain_memchr;
  decltype(&ravel_plain_strlen) strlen = &ravel_plain_strlen;
  decltype(&ravel_plain_strcmp) strcmp = &ravel_plain_strcmp;
  decltype(&ravel_plain_strncmp) strncmp = &ravel_plain_strncmp;
  decltype(&ravel_plain_strchr) strchr = &ravel_plain_strchr;
  decltype(&ravel_plain_strrchr) strrchr = &ravel_plain_strrchr;
};

constinit Real g_real = {};

template <typename Function>
void find(Function& function, const char* name) {
  if (void* const found = dlsym(RTLD_NEXT, name)) function = reinterpret_cast<Function>(found);
}

__attribute__((noinline, cold)) void find_all() {
  g_real.looked_for = true;
  Real found = g_real;
  find(found.memcpy, "memcpy");
  find(found.memmove, "memmove");
  find(found.memset, "memset");
  find(found.memcmp, "memcmp");
  find(found.memchr, "memchr");
  find(found.strlen, "strlen");
  find(found.strcmp, "strcmp");
  find(found.strncmp, "strncmp");
  find(found.strchr, "strchr");
  find(found.strrchr, "strrchr");
  g_real = found;
}

const Real& real_functions() {
  if (!g_real.looked_for) [[unlikely]]
    find_all();
  return g_real;
}

bool is_seen(std::uint64_t pc) { return ravel::under_engine() && ravel::is_instrumented(pc); }

void reads(const void* start, std::size_t bytes, std::uint64_t pc) {
  ravel::memory_access(ravel::address_of(start), bytes, OperationKind::read, pc);
}

void writes(void* start, std::size_t bytes, std::uint64_t pc) {
  ravel::memory_access(ravel::address_of(start), bytes, OperationKind::write, pc);
}

std::size_t common_length(const char* a, const char* b, std::size_t most) {
  std::size_t length = 0;
  while (length < most && a[length] == b[length] && a[length] != 0) ++length;
  return length < most ? length + 1 : most;
}

std::size_t length_up_to(const char* text, std::size_t most) {
  std::size_t length = 0;
  while (length < most && text[length] != 0) ++length;
  return length;
}

}  // namespace

RAVEL_EXPORT void* memcpy(void* to, const void* from, std::size_t bytes) {
  if (const std::uint64_t pc = RAVEL_CALL_SITE; is_seen(pc)) {
    reads(from, bytes, pc);
    writes(to, bytes, pc);
  }
  return real_functions().memcpy(to, from, bytes);
}

RAVEL_EXPORT void* memmove(void* to, const void* from, std::size_t bytes) {
  if (const std::uint64_t pc = RAVEL_CALL_SITE; is_seen(pc)) {
    reads(from, bytes, pc);
    writes(to, bytes, pc);
  }
  return real_functions().memmove(to, from, bytes);
}

RAVEL_EXPORT void* mempcpy(void* to, const void* from, std::size_t bytes) {
  if (const std::uint64_t pc = RAVEL_CALL_SITE; is_seen(pc)) {
    reads(from, bytes, pc);
    writes(to, bytes, pc);
  }
  return static_cast<char*>(real_functions().memcpy(to, from, bytes)) + bytes;
}

RAVEL_EXPORT void* memset(void* start, int byte, std::size_t bytes) {
  if (const std::uint64_t pc = RAVEL_CALL_SITE; is_seen(pc)) writes(start, bytes, pc);
  return real_functions().memset(start, byte, bytes);
}

RAVEL_EXPORT int memcmp(const void* a, const void* b, std::size_t bytes) {
  if (const std::uint64_t pc = RAVEL_CALL_SITE; is_seen(pc)) {
    reads(a, bytes, pc);
    reads(b, bytes, pc);
  }
  return real_functions().memcmp(a, b, bytes);
}

RAVEL_EXPORT int bcmp(const void* a, const void* b, std::size_t bytes) {
  if (const std::uint64_t pc = RAVEL_CALL_SITE; is_seen(pc)) {
    reads(a, bytes, pc);
    reads(b, bytes, pc);
  }
  return real_functions().memcmp(a, b, bytes);
}

// Up to the byte it finds: what follows is not looked at.
RAVEL_EXPORT void* memchr(const void* start, int byte, std::size_t bytes) {
  void* const found = real_functions().memchr(start, byte, bytes);
  if (const std::uint64_t pc = RAVEL_CALL_SITE; is_seen(pc)) {
    const auto read = found == nullptr
                          ? bytes
                          : static_cast<std::size_t>(static_cast<char*>(found) - static_cast<const char*>(start)) + 1;
    reads(start, read, pc);
    return real_functions().memchr(start, byte, bytes);
  }
  return found;
}

RAVEL_EXPORT std::size_t strlen(const char* text) {
  if (const std::uint64_t pc = RAVEL_CALL_SITE; is_seen(pc)) reads(text, real_functions().strlen(text) + 1, pc);
  return real_functions().strlen(text);
}

RAVEL_EXPORT int strcmp(const char* a, const char* b) {
  if (const std::uint64_t pc = RAVEL_CALL_SITE; is_seen(pc)) {
    const std::size_t length = common_length(a, b, ~std::size_t{0});
    reads(a, length, pc);
    reads(b, length, pc);
  }
  return real_functions().strcmp(a, b);
}

RAVEL_EXPORT int strncmp(const char* a, const char* b, std::size_t most) {
  if (const std::uint64_t pc = RAVEL_CALL_SITE; is_seen(pc)) {
    const std::size_t length = common_length(a, b, most);
    reads(a, length, pc);
    reads(b, length, pc);
  }
  return real_functions().strncmp(a, b, most);
}

RAVEL_EXPORT char* strchr(const char* text, int wanted) {
  if (const std::uint64_t pc = RAVEL_CALL_SITE; is_seen(pc)) reads(text, real_functions().strlen(text) + 1, pc);
  return real_functions().strchr(text, wanted);
}

RAVEL_EXPORT char* strrchr(const char* text, int wanted) {
  if (const std::uint64_t pc = RAVEL_CALL_SITE; is_seen(pc)) reads(text, real_functions().strlen(text) + 1, pc);
  return real_functions().strrchr(text, wanted);
}

RAVEL_EXPORT char* stpcpy(char* to, const char* from) {
  if (const std::uint64_t pc = RAVEL_CALL_SITE; is_seen(pc)) {
    const std::size_t bytes = real_functions().strlen(from) + 1;
    reads(from, bytes, pc);
    writes(to, bytes, pc);
  }
  const std::size_t length = real_functions().strlen(from);
  real_functions().memcpy(to, from, length + 1);
  return to + length;
}

RAVEL_EXPORT char* strcpy(char* to, const char* from) {
  if (const std::uint64_t pc = RAVEL_CALL_SITE; is_seen(pc)) {
    const std::size_t bytes = real_functions().strlen(from) + 1;
    reads(from, bytes, pc);
    writes(to, bytes, pc);
  }
  real_functions().memcpy(to, from, real_functions().strlen(from) + 1);
  return to;
}

RAVEL_EXPORT char* strncpy(char* to, const char* from, std::size_t bytes) {
  if (const std::uint64_t pc = RAVEL_CALL_SITE; is_seen(pc)) {
    const std::size_t length = length_up_to(from, bytes);
    reads(from, length < bytes ? length + 1 : bytes, pc);
    writes(to, bytes, pc);
  }
  const std::size_t length = length_up_to(from, bytes);
  real_functions().memcpy(to, from, length);
  real_functions().memset(to + length, 0, bytes - length);
  return to;
}

RAVEL_EXPORT char* strcat(char* to, const char* from) {
  if (const std::uint64_t pc = RAVEL_CALL_SITE; is_seen(pc)) {
    const std::size_t length = real_functions().strlen(to);
    const std::size_t bytes = real_functions().strlen(from) + 1;
    reads(to, length + 1, pc);
    reads(from, bytes, pc);
    writes(to + length, bytes, pc);
  }
  real_functions().memcpy(to + real_functions().strlen(to), from, real_functions().strlen(from) + 1);
  return to;
}
