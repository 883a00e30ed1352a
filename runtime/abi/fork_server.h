// SPDX-License-Identifier: Apache-2.0
// The fork server: the target process between executions. It is stopped where the program was about to create its first
// task; each execution is a child forked from there. So start-up is paid once and no execution affects the next.
// docs/formats/channel.md has the protocol.
#pragma once

#include "runtime/fibers/carrier.h"
#include "trace/channel.h"

namespace ravel {

// Becomes the fork server. Returns once per execution, in the child (or, if the process cannot be forked here, once in
// this process) with channel.request.plan to follow. Never returns in the server.
void serve_executions(Channel& channel, int control_socket, Carrier& carrier);

// A parallel run is not an execution of the engine: waits until the driver lets the process continue on its own.
void serve_free_run(Channel& channel, int control_socket);

}  // namespace ravel
