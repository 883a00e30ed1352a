// SPDX-License-Identifier: Apache-2.0
// Whether executions may be forked from here. A forked execution shares pipes, sockets and other such objects with the
// fork server and with all other executions: data left behind by one is found by the next, the end of a pipe is never
// closed. Children of the program are not children of a forked execution. Such a target is re-executed instead.
#pragma once

namespace ravel {

// At start-up: what is open now was given to us and is not the program's doing.
void remember_inherited_descriptors();

// Has the program, by itself, come to something that forked executions would share?
bool fork_would_share_state();

}  // namespace ravel
