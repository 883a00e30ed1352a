// SPDX-License-Identifier: Apache-2.0
// Copying one file, link or set of attributes, with system calls alone. Who calls it: what keeps, moves and covers
// files. Thread safety: one call at a time. Each function returns 0 or an errno; the target must not be there yet.
#pragma once

#include <sys/stat.h>

namespace ravel {

int copy_file(int from_directory, const char* from, int to_directory, const char* to);
int copy_link(int from_directory, const char* from, int to_directory, const char* to);

// Owner, mode and times. What the process has no right to give is left as it is.
void copy_attributes(const struct stat& info, int directory, const char* path);

}  // namespace ravel
