// SPDX-License-Identifier: Apache-2.0
// Whether executions can be forked from here. A forked execution shares pipes, sockets and similar objects with the
// fork server and with all other executions: the next one finds data the last one left behind, and the end of a pipe is
// never closed. Child processes of the program are not children of a forked execution. Such a target is started again
// instead.
#pragma once

namespace ravel {

// At start-up: what is open now was inherited, not opened by the program.
void remember_inherited_descriptors();

// Has the program itself opened or started something that forked executions would share?
bool fork_would_share_state();

}  // namespace ravel
