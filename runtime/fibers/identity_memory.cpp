// SPDX-License-Identifier: Apache-2.0
#include "runtime/fibers/identity_memory.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>

#include "base/raw_syscall.h"

namespace ravel {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kGuard = kPage;
constexpr std::size_t kPageTable = std::size_t{1} << 21;   // what one page table covers
constexpr std::size_t kDonorRoom = std::size_t{16} << 10;  // for a donor's own frames

std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

// What libc needs of a stack for itself, thread-local variables included; 0: it does not say.
std::size_t least_stack_of_libc() {
  using GetMinstack = std::size_t (*)(const pthread_attr_t*);
  const auto get_minstack = reinterpret_cast<GetMinstack>(dlsym(RTLD_DEFAULT, "__pthread_get_minstack"));
  if (get_minstack == nullptr) return 0;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  const std::size_t least = get_minstack(&attributes);
  pthread_attr_destroy(&attributes);
  return least;
}

bool make_usable(std::uint64_t start, std::size_t bytes) {
  // Zeroing a huge page would cost more than a whole short execution.
  raw_syscall(SYS_madvise, static_cast<long>(start), static_cast<long>(bytes), MADV_NOHUGEPAGE);
  return raw_syscall(SYS_mprotect, static_cast<long>(start), static_cast<long>(bytes), PROT_READ | PROT_WRITE) == 0;
}

}  // namespace

bool IdentityMemory::reserve(std::uint32_t count, std::size_t stack_bytes) {
  const std::size_t least = least_stack_of_libc();
  if (least == 0 || stack_bytes == 0) return false;
  donor_bytes_ = round_up(least + kDonorRoom, kPage);
  stack_bytes_ = round_up(stack_bytes, kPage);
  const std::size_t donors = count * donor_bytes_;
  const std::size_t stacks = count * (kGuard + stack_bytes_);
  const long memory = raw_syscall(SYS_mmap, 0, static_cast<long>(stacks + donors + kPageTable), PROT_NONE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory <= 0) return false;
  // The donors end with a page table; what is below them in it belongs to the first stack.
  const std::uint64_t end =
      (static_cast<std::uint64_t>(memory) + stacks + donors + kPageTable) / kPageTable * kPageTable;
  donors_ = end - donors;
  bool usable = make_usable(donors_, donors);
  for (std::uint32_t index = 0; index < count; ++index) usable = make_usable(stack_low(index), stack_bytes_) && usable;
  return usable;
}

void* IdentityMemory::donor(std::uint32_t index) const {
  return reinterpret_cast<void*>(donors_ + index * donor_bytes_);
}

std::uint64_t IdentityMemory::stack_high(std::uint32_t index) const {
  return donors_ - index * (kGuard + stack_bytes_);
}

}  // namespace ravel
