// SPDX-License-Identifier: Apache-2.0
//
// What changing the program's code takes: modules as the loader has them, memory near a module, pages that may be
// written for a moment.
//
// Who calls it: unseen_code and assembly, before control begins or while a library is loaded. Thread safety: none.
#pragma once

#include <link.h>
#include <sys/mman.h>

#include <cstdint>

#include "base/raw_syscall.h"

namespace ravel {

inline constexpr std::uint64_t kPageBytes = 4096;

struct LoadedModule {
  std::uint64_t start;
  std::uint64_t end;
  std::uint64_t bias;
  const ElfW(Phdr) * header;
  std::uint32_t headers;

  // Visits each range of code: its first byte and the one past its last.
  template <typename Visit>
  void for_each_code(Visit visit) const {
    for (std::uint32_t i = 0; i < headers; ++i) {
      if (header[i].p_type != PT_LOAD || (header[i].p_flags & PF_X) == 0) continue;
      auto* const first = reinterpret_cast<std::uint8_t*>(bias + header[i].p_vaddr);
      visit(first, first + header[i].p_filesz);
    }
  }
};

// Memory for code and its data, so near to a module that its instructions reach it. Never given back.
class NearMemory {
 public:
  explicit NearMemory(const LoadedModule& module) : module_(module) {}

  // nullptr when there is none. Aligned to 16 bytes.
  std::uint8_t* take(std::uint64_t bytes);

 private:
  static constexpr std::uint64_t kChunk = 16 * kPageBytes;

  const LoadedModule& module_;
  std::uint8_t* chunk_ = nullptr;
  std::uint64_t used_ = 0;
};

// Memory of a module that is written although it is not meant to be. As long as it lives.
class Writable {
 public:
  Writable(const LoadedModule& module, const void* memory, std::uint64_t bytes);
  ~Writable() {
    if (writable_) protect(protection_);
  }
  Writable(const Writable&) = delete;
  Writable& operator=(const Writable&) = delete;
  explicit operator bool() const { return writable_; }

 private:
  void protect(int protection) {
    writable_ = raw_syscall(SYS_mprotect, static_cast<long>(first_), static_cast<long>(bytes_), protection) == 0;
  }

  std::uint64_t first_ = 0;
  std::uint64_t bytes_ = 0;
  int protection_ = PROT_READ | PROT_WRITE;
  bool writable_ = false;
};

// Writes the distance from the end of its own four bytes to `target`, as instructions have it.
inline void put_distance(std::uint8_t* at, const void* target) {
  const auto distance = static_cast<std::int32_t>(static_cast<const std::uint8_t*>(target) - (at + 4));
  __builtin_memcpy(at, &distance, sizeof distance);
}
inline const std::uint8_t* read_distance(const std::uint8_t* at) {
  std::int32_t distance = 0;
  __builtin_memcpy(&distance, at, sizeof distance);
  return at + 4 + distance;
}
inline void put_number(std::uint8_t* at, std::uint32_t number) { __builtin_memcpy(at, &number, sizeof number); }
inline void put_address(std::uint8_t* at, const void* address) { __builtin_memcpy(at, &address, sizeof address); }

}  // namespace ravel
