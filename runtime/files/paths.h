// SPDX-License-Identifier: Apache-2.0
// Paths: their parts, and their names without links. Nothing here allocates. Thread-safe.
#pragma once

#include <string.h>

#include <cstddef>
#include <string_view>

#include "runtime/files/raw_files.h"

namespace ravel {

inline constexpr std::size_t kPathBytes = 4096;

inline bool lies_in(std::string_view path, std::string_view directory) {
  return path.starts_with(directory) && (path.size() == directory.size() || path[directory.size()] == '/');
}

// Where the last part of a path begins; slashes at its end do not count.
inline std::size_t last_part(const char* path) {
  std::size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') --length;
  while (length > 0 && path[length - 1] != '/') --length;
  return length;
}

// The directory part of a path: "." where it has none. False: it does not fit.
inline bool directory_part(const char* path, char (&directory)[kPathBytes]) {
  std::size_t length = last_part(path);
  if (length >= sizeof directory) return false;
  memcpy(directory, path, length);
  if (length == 0) directory[length++] = '.';
  directory[length] = '\0';
  return true;
}

// The name that the kernel has for an open file: its length, 0 when there is none.
std::size_t name_of_descriptor(int descriptor, char (&name)[kPathBytes]);

// The name without links of what `path` leads to: its length, 0 when it leads nowhere.
std::size_t real_name(int directory, const char* path, char (&name)[kPathBytes]);

}  // namespace ravel
