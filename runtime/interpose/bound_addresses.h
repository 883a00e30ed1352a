// SPDX-License-Identifier: Apache-2.0
// Addresses that a program binds by name (a port, an abstract socket) are one for all executions of the machine. Tells
// the driver of the first one, so that executions do not meet there, and lets an execution have what only the one
// before it still holds: a port stays taken for a minute after its connections were closed.
//
// Who calls it: the exported function. Thread safety: any thread; the note is the same from all of them.
#pragma once

struct sockaddr;

namespace ravel {

// As bind(2).
int bind_address(int descriptor, const sockaddr* address, unsigned length);

}  // namespace ravel
