// SPDX-License-Identifier: Apache-2.0
// ForkServer: the target process between executions. It stands where the program was about to create its first task;
// each execution is a child forked from there, so start-up is paid once and nothing an execution does reaches the next.
// docs/formats/channel.md has the protocol.
#pragma once

#include "runtime/fibers/carrier.h"
#include "trace/channel.h"

namespace ravel {

// Becomes the fork server. Returns once per execution, in the child (or, when the process cannot be forked here, once
// in this very process) with channel.request.plan to be followed. Never returns in the server.
void serve_executions(Channel& channel, int control_socket, Carrier& carrier);

// A really parallel run is no execution of the engine: waits until the driver lets the process go on by itself.
void serve_free_run(Channel& channel, int control_socket);

}  // namespace ravel
