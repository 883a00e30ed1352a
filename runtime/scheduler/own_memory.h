// SPDX-License-Identifier: Apache-2.0
// Reads memory of the program that may no longer be mapped. Makes a system call: not for the hot path.
#pragma once

#include <sys/uio.h>

#include <cstdint>

#include "base/raw_syscall.h"
#include "model/operation.h"

namespace ravel {

// What the operation's memory holds now, at most eight bytes of it. False: it cannot be read.
inline bool read_own_memory(const Operation& operation, std::uint64_t& value) {
  if (operation.size == 0 || operation.size > sizeof value) return false;
  const iovec here{&value, operation.size};
  const iovec there{reinterpret_cast<void*>(operation.object), operation.size};
  const long pid = raw_syscall(SYS_getpid);
  return raw_syscall(SYS_process_vm_readv, pid, reinterpret_cast<long>(&here), 1, reinterpret_cast<long>(&there), 1,
                     0) == operation.size;
}

}  // namespace ravel
