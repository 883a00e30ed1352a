// SPDX-License-Identifier: Apache-2.0
// Input and output that may block: waits until the kernel is ready, then makes the real call. Files on disk are always
// ready. Results and errno are those of the system calls.
#pragma once

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "runtime/interpose/points.h"

namespace ravel {

ssize_t io_read(int descriptor, void* buffer, std::size_t size, CallSite pc);
ssize_t io_write(int descriptor, const void* buffer, std::size_t size, CallSite pc);
ssize_t io_readv(int descriptor, const iovec* parts, int count, CallSite pc);
ssize_t io_writev(int descriptor, const iovec* parts, int count, CallSite pc);

ssize_t io_receive(int descriptor, void* buffer, std::size_t size, int flags, sockaddr* address, socklen_t* length,
                   CallSite pc);
ssize_t io_receive_message(int descriptor, msghdr* message, int flags, CallSite pc);
ssize_t io_send(int descriptor, const void* buffer, std::size_t size, int flags, const sockaddr* address,
                socklen_t length, CallSite pc);
ssize_t io_send_message(int descriptor, const msghdr* message, int flags, CallSite pc);
int io_accept(int descriptor, sockaddr* address, socklen_t* length, int flags, CallSite pc);
int io_connect(int descriptor, const sockaddr* address, socklen_t length, CallSite pc);
int io_close(int descriptor, CallSite pc);
int io_shutdown(int descriptor, int how, CallSite pc);

// A null timeout waits forever.
int io_poll(pollfd* descriptors, nfds_t count, const timespec* timeout, const sigset_t* mask, CallSite pc);
int io_select(int count, fd_set* read, fd_set* write, fd_set* except, timeval* timeout, CallSite pc);
int io_pselect(int count, fd_set* read, fd_set* write, fd_set* except, const timespec* timeout, const sigset_t* mask,
               CallSite pc);
// Before epoll_ctl: a task that waits for events is ordered after what the task that registered them had done.
void io_epoll_changed(int descriptor);
int io_epoll_wait(int descriptor, epoll_event* events, int capacity, int milliseconds, const sigset_t* mask,
                  CallSite pc);

}  // namespace ravel
