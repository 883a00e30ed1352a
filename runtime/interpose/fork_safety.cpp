// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/fork_safety.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdint>

#include "runtime/files/raw_files.h"
#include "runtime/interpose/external_waits.h"

namespace ravel {
namespace {

constexpr int kDescriptors = 1024;
constinit std::uint64_t g_inherited[kDescriptors / 64] = {};  // bit set of descriptors

bool is_inherited(int descriptor) { return (g_inherited[descriptor / 64] >> (descriptor % 64) & 1) != 0; }

// Files, directories and character devices (the terminal, /dev/null) carry nothing from one execution to the next but a
// position; everything else is a channel or has a state of its own.
bool has_shared_state(int descriptor) {
  struct stat status = {};
  if (fstat(descriptor, &status) != 0) return false;
  return !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode) && !S_ISCHR(status.st_mode) && !S_ISBLK(status.st_mode);
}

}  // namespace

void remember_inherited_descriptors() {
  const int saved_errno = errno;
  for (int descriptor = 0; descriptor < kDescriptors; ++descriptor) {
    if (raw_fcntl(descriptor, F_GETFD) >= 0) g_inherited[descriptor / 64] |= std::uint64_t{1} << (descriptor % 64);
  }
  errno = saved_errno;
}

bool fork_would_share_state(KernelObjects& objects) {
  const int saved_errno = errno;
  const auto is_programs = [](int descriptor) { return !is_inherited(descriptor) && has_shared_state(descriptor); };
  const bool shared = has_children() || !objects.remember(is_programs);
  errno = saved_errno;
  return shared;
}

}  // namespace ravel
