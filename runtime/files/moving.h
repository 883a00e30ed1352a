// SPDX-License-Identifier: Apache-2.0
// Moving a file or directory where the kernel cannot rename it, though it could without our layers: from one layer to
// another of the same disk, or a directory of a lower layer in a user namespace.
//
// Who calls it: runtime/interpose/file_changes.cpp, after a rename has failed with EXDEV. Thread safety: none needed;
// only the running task is here, and nobody else sees the layers. So it need not happen at once, as a rename does.
#pragma once

namespace ravel {

// As renameat(2) has it: 0 or an errno.
int move_by_copying(int from_directory, const char* from, int to_directory, const char* to);

}  // namespace ravel
