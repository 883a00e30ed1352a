// SPDX-License-Identifier: Apache-2.0
// Whether executions can be forked from here. A forked execution shares pipes, sockets and similar objects with the
// fork server and with all other executions: the next one finds data the last one left behind, and the end of a pipe is
// never closed. Some of them each execution can make again (KernelObjects). Child processes of the program are not
// children of a forked execution. Where neither can be helped, the target is started again instead.
#pragma once

#include "runtime/files/kernel_objects.h"

namespace ravel {

// At start-up: what is open now was inherited, not opened by the program.
void remember_inherited_descriptors();

// Has the program itself opened or started something that forked executions would share? What they can make again is
// none of that: it is remembered in `objects`.
bool fork_would_share_state(KernelObjects& objects);

}  // namespace ravel
