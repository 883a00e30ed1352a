// SPDX-License-Identifier: Apache-2.0
#include "runtime/scheduler/task_thread.h"

namespace ravel {

constinit thread_local bool t_is_task = false;

}  // namespace ravel
