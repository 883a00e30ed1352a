// SPDX-License-Identifier: Apache-2.0
// The functions that plain_memory.h puts in the place of libc's. Short and simple: the runtime copies little.
#include <cstddef>

#ifdef RAVEL_IN_TARGET

namespace {

// In assembly, here and below: the compiler would make a call of memcpy out of a loop that copies.
void copy_forward(void* to, const void* from, std::size_t bytes) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

void copy_sixteen(char* to, const char* from) {
  asm volatile("movdqu (%1), %%xmm0\n\tmovdqu %%xmm0, (%0)" : : "r"(to), "r"(from) : "xmm0", "memory");
}

}  // namespace

extern "C" {

void* ravel_plain_memcpy(void* to, const void* from, std::size_t bytes) {
  // The string instruction takes long to start; what the runtime copies is mostly some dozens of bytes.
  constexpr std::size_t kLong = 512;
  if (bytes < 16 || bytes > kLong) {
    copy_forward(to, from, bytes);
    return to;
  }
  auto* target = static_cast<char*>(to);
  const auto* source = static_cast<const char*>(from);
  std::size_t done = 0;
  for (; done + 16 <= bytes; done += 16) copy_sixteen(target + done, source + done);
  if (done < bytes) copy_sixteen(target + bytes - 16, source + bytes - 16);
  return to;
}

void* ravel_plain_memmove(void* to, const void* from, std::size_t bytes) {
  auto* target = static_cast<char*>(to);
  const auto* source = static_cast<const char*>(from);
  if (target + bytes <= source || source + bytes <= target) return ravel_plain_memcpy(to, from, bytes);
  if (target <= source) {
    copy_forward(to, from, bytes);
    return to;
  }
  while (bytes > 0) {
    --bytes;
    static_cast<volatile char*>(target)[bytes] = source[bytes];
  }
  return to;
}

void* ravel_plain_memset(void* start, int byte, std::size_t bytes) {
  void* place = start;
  asm volatile("rep stosb" : "+D"(place), "+c"(bytes) : "a"(byte) : "memory");
  return start;
}

int ravel_plain_memcmp(const void* a, const void* b, std::size_t bytes) {
  const auto* left = static_cast<const volatile unsigned char*>(a);
  const auto* right = static_cast<const volatile unsigned char*>(b);
  for (std::size_t i = 0; i < bytes; ++i) {
    if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
  }
  return 0;
}

void* ravel_plain_memchr(const void* start, int byte, std::size_t bytes) {
  const auto* place = static_cast<const volatile unsigned char*>(start);
  for (; bytes > 0; --bytes, ++place) {
    if (*place == static_cast<unsigned char>(byte)) return const_cast<unsigned char*>(place);
  }
  return nullptr;
}

std::size_t ravel_plain_strlen(const char* text) {
  const volatile char* end = text;
  while (*end != 0) ++end;
  return static_cast<std::size_t>(end - text);
}

int ravel_plain_strncmp(const char* a, const char* b, std::size_t most) {
  for (std::size_t i = 0; i < most; ++i) {
    const auto left = static_cast<unsigned char>(a[i]);
    const auto right = static_cast<unsigned char>(b[i]);
    if (left != right) return left < right ? -1 : 1;
    if (left == 0) return 0;
  }
  return 0;
}

int ravel_plain_strcmp(const char* a, const char* b) { return ravel_plain_strncmp(a, b, ~std::size_t{0}); }

char* ravel_plain_strchr(const char* text, int wanted) {
  for (;; ++text) {
    if (*text == static_cast<char>(wanted)) return const_cast<char*>(text);
    if (*text == 0) return nullptr;
  }
}

char* ravel_plain_strrchr(const char* text, int wanted) {
  const char* last = nullptr;
  for (;; ++text) {
    if (*text == static_cast<char>(wanted)) last = text;
    if (*text == 0) return const_cast<char*>(last);
  }
}

}  // extern "C"

#endif
