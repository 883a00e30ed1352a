// SPDX-License-Identifier: Apache-2.0
// Which global variables of the program an execution changed: what the fork server has, which stands where the
// execution began, compared with what is there now. The next execution does not see the changes, which may surprise
// whoever wrote them; so the driver names them once.
//
// Called at the end of an explored body, by its task. Thread safety: none.
#pragma once

#include "trace/channel.h"

namespace ravel {

// In the first execution of this target. Writes result.changed_global. Where the memory of the server cannot be read,
// nothing.
void list_changed_globals(Channel& channel);

}  // namespace ravel
