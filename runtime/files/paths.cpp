// SPDX-License-Identifier: Apache-2.0
#include "runtime/files/paths.h"

#include <stdio.h>

namespace ravel {

std::size_t name_of_descriptor(int descriptor, char (&name)[kPathBytes]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const long size = raw_syscall(SYS_readlinkat, AT_FDCWD, raw_of(link), raw_of(name), sizeof name - 1);
  const std::size_t length = size > 0 && name[0] == '/' ? static_cast<std::size_t>(size) : 0;
  name[length] = '\0';
  return length;
}

std::size_t real_name(int directory, const char* path, char (&name)[kPathBytes]) {
  const int file = raw_open_at(directory, path, O_PATH | O_CLOEXEC);
  if (file < 0) return 0;
  const std::size_t length = name_of_descriptor(file, name);
  raw_close(file);
  return length;
}

}  // namespace ravel
