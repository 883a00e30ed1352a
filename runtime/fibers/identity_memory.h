// SPDX-License-Identifier: Apache-2.0
// Where prepared identities are in memory. A donor pthread needs little: the thread's control block, its thread-local
// variables, and some stack until it parks. These lie side by side, right above the first stack that tasks run on, so
// that one page table holds them all, however many are prepared: each further page table makes every fork slower. The
// stacks themselves cost nothing before a task runs on them.
//
//   | guard | stack of the last |  ...  | guard | stack of the first | donor of the first | ... | donor of the last |
//
// Thread safety: one thread, before the fork.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel {

class IdentityMemory {
 public:
  // For `count` identities whose tasks run on `stack_bytes` each. False when the system refuses.
  bool reserve(std::uint32_t count, std::size_t stack_bytes);

  void* donor(std::uint32_t index) const;
  std::size_t donor_bytes() const { return donor_bytes_; }
  std::uint64_t stack_low(std::uint32_t index) const { return stack_high(index) - stack_bytes_; }
  std::uint64_t stack_high(std::uint32_t index) const;

 private:
  std::uint64_t donors_ = 0;  // the first donor begins where the first stack ends
  std::size_t donor_bytes_ = 0;
  std::size_t stack_bytes_ = 0;
};

}  // namespace ravel
