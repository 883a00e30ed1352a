// SPDX-License-Identifier: Apache-2.0
// Which code files are mapped where (Channel::module), so that the driver can resolve addresses.
#pragma once

#include "trace/channel.h"

namespace ravel {

// All there are now.
void write_modules(Channel& channel);

// Writes them again when some have come or gone since (dlopen). Any thread, at any time; when two come at once, one
// does it.
void refresh_modules(Channel& channel);

}  // namespace ravel
