// SPDX-License-Identifier: Apache-2.0
// Namespaces of the process: a view of the mounts that only this process and its children have, and the right to change
// it. A process without that right gets it in a user namespace of its own, in which everybody is who they are outside.
//
// Who calls it: PrivateView. Thread safety: none; what is entered holds for the calling OS thread and for threads and
// processes that it starts afterwards. Every function returns 0 or an errno.
#pragma once

#include <cstdint>

namespace ravel {

// Does nothing for a process that may mount anyway. Only while the process has one thread.
int enter_user_namespace();

int enter_mount_namespace();

bool in_own_user_namespace();
// Can the process give a file this owner? In a user namespace, nobody but the user is known.
bool can_own(unsigned user, unsigned group);

// The right to mount is in effect only as long as such an object lives: it comes with the right to open files that the
// user may not, which the program under test must not have.
class MountRight {
 public:
  MountRight();
  ~MountRight();
  MountRight(const MountRight&) = delete;
  MountRight& operator=(const MountRight&) = delete;
};

}  // namespace ravel
