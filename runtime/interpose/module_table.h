// SPDX-License-Identifier: Apache-2.0
// Which code files are mapped where (Channel::module), so that the driver can resolve addresses.
#pragma once

#include "trace/channel.h"

namespace ravel {

// All there are now.
void write_modules(Channel& channel);

// Writes them again if some were loaded or unloaded since (dlopen). Any thread, at any time; if two call at once, one
// does it.
void refresh_modules(Channel& channel);

}  // namespace ravel
