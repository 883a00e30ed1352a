// SPDX-License-Identifier: Apache-2.0
#include "runtime/resident/residence.h"

#include <dirent.h>
#include <errno.h>
#include <linux/kcmp.h>
#include <sys/mman.h>

#include <new>

#include "base/check.h"
#include "runtime/files/raw_files.h"
#include "runtime/files/words.h"

namespace ravel {
namespace {

// Programs are at 0x555..., libraries and mappings near 0x7ff..., the memory of sanitizers below 0x110000000000.
constexpr std::uint64_t kPlace = 0x2000'0000'0000;
constexpr std::uint64_t kStackBytes = std::uint64_t{256} << 10;
constexpr std::uint64_t kObjectBytes = std::uint64_t{1} << 20;
static_assert(sizeof(Residence) <= kObjectBytes);
constexpr std::uint64_t kMostRoom = std::uint64_t{4} << 30;
constexpr std::uint64_t kLeastRoom = std::uint64_t{64} << 20;
constexpr int kDescriptorQuery = 1027;        // F_DUPFD_QUERY, since Linux 6.10: kcmp at a fifth of its price
constexpr std::uint64_t kThreadBytes = 4096;  // more than libc keeps about a thread, from the thread pointer on

// At this address, or wherever there is room; 0: nowhere.
std::uint64_t map_near(std::uint64_t start, std::uint64_t bytes) {
  const long flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  const long mapped =
      raw_syscall(SYS_mmap, static_cast<long>(start), static_cast<long>(bytes), PROT_READ | PROT_WRITE, flags, -1, 0);
  return mapped < 0 ? 0 : static_cast<std::uint64_t>(mapped);
}

// The object begins where the stack ends, and the room where the object ends.
std::uint64_t stack_top(const Residence* residence) { return reinterpret_cast<std::uint64_t>(residence); }
std::uint64_t room_of(const Residence* residence) { return stack_top(residence) + kObjectBytes; }

std::uint64_t pending_signals() {
  std::uint64_t pending = 0;
  raw_syscall(SYS_rt_sigpending, raw_of(&pending), sizeof pending);
  return pending;
}

}  // namespace

namespace internal {
constinit Residence* g_residence = nullptr;
}

Residence& Residence::prepare() {
  if (internal::g_residence == nullptr) {
    const std::uint64_t place = map_near(kPlace, kStackBytes + kObjectBytes);
    RAVEL_CHECK(place != 0, "no memory for the fork server");
    internal::g_residence = new (reinterpret_cast<void*>(place + kStackBytes)) Residence;
  }
  return *internal::g_residence;
}

void Residence::leave_program(void (*server)(void*), void* argument) {
  leave_stack(program_, stack_top(this), server, argument);
}

bool Residence::settle(pid_t image, const PageRange& shared, AfterExecution after) {
  after_ = after;
  process_ = static_cast<pid_t>(raw_syscall(SYS_getpid));
  std::uint64_t room = kMostRoom;
  for (;; room /= 4) {
    if (room < kLeastRoom) return false;
    const std::uint64_t start = map_near(room_of(this), room);
    if (start == room_of(this)) break;
    if (start != 0) return false;  // there is none next to the object, however little
  }
  raw_syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, raw_of(&signal_mask_), sizeof signal_mask_);
  raw_syscall(SYS_sigaltstack, 0, raw_of(&signal_stack_));
  pending_ = pending_signals();
  const PageRange contents{room_of(this), room_of(this) + room};
  const PageRange apart{stack_top(this) - kStackBytes, contents.end};
  const PageRange thread{program_.fs_base, program_.fs_base + kThreadBytes};  // it has another thread id than the image
  settled_ = snapshot_.take({apart, contents, thread, shared, image, kLowestDescriptor}) && remember_descriptors();
  return settled_;
}

void Residence::begin() {
  if (!settled_) come_back(program_);
  mappings_may_differ_ = false;
  ++begun_;
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, raw_of(&signal_mask_), 0, sizeof signal_mask_);
  raw_syscall(SYS_sigaltstack, raw_of(&signal_stack_), 0);
  come_back(program_);
}

bool Residence::can_stay() {
  return settled_ && same_descriptors() && pending_signals() == pending_ &&
         snapshot_.same_mappings(mappings_may_differ_);
}

void Residence::end_execution(int exit_code) {
  if (!settled_) raw_exit(exit_code);
  exit_code_ = exit_code;
  LeftStack never;
  leave_stack(
      never, stack_top(this),
      [](void* self) {
        const auto& residence = *static_cast<Residence*>(self);
        residence.after_(residence.exit_code_);
      },
      this);
  __builtin_unreachable();
}

bool Residence::remember_descriptors() {
  const int list = raw_open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (list < 0) return false;
  descriptor_list_ = static_cast<int>(raw_fcntl(list, F_DUPFD_CLOEXEC, kLowestDescriptor));
  raw_close(list);
  if (descriptor_list_ < 0) return false;
  alignas(dirent64) char entries[4096];
  for (;;) {
    const long size = raw_syscall(SYS_getdents64, descriptor_list_, raw_of(entries), sizeof entries);
    if (size <= 0) break;
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      at += entry->d_reclen;
      std::string_view name = entry->d_name;
      if (name.front() < '0' || name.front() > '9') continue;
      const auto number = static_cast<int>(take_number(name));
      if (number >= kLowestDescriptor) continue;
      if (remembered_ == kMostDescriptors) return false;
      const auto copy = static_cast<int>(raw_fcntl(number, F_DUPFD_CLOEXEC, kLowestDescriptor));
      if (copy < 0) return false;
      descriptor_[remembered_++] = {number, copy};
    }
  }
  struct stat all {};
  if (raw_stat(descriptor_list_, all) != 0) return false;
  descriptor_count_ = all.st_size;  // since Linux 6.2
  return descriptor_count_ > 0;
}

bool Residence::same_descriptors() const {
  struct stat all {};
  if (raw_stat(descriptor_list_, all) != 0 || all.st_size != descriptor_count_) return false;
  for (int i = 0; i < remembered_; ++i) {
    if (!same_open_file(descriptor_[i])) return false;
  }
  return true;
}

bool Residence::same_open_file(const Descriptor& one) const {
  const long answer = raw_fcntl(one.number, kDescriptorQuery, one.copy);
  if (answer != -EINVAL) return answer == 1;
  return raw_syscall(SYS_kcmp, process_, process_, KCMP_FILE, one.number, one.copy) == 0;
}

void end_execution(int exit_code) {
  if (internal::g_residence == nullptr) raw_exit(exit_code);
  internal::g_residence->end_execution(exit_code);
}

}  // namespace ravel
