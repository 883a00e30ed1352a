// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/runtime_mode.h"

namespace ravel {

constinit RuntimeMode g_mode = RuntimeMode::passive;

}  // namespace ravel
