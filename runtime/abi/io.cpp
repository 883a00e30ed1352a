// SPDX-License-Identifier: Apache-2.0
// Input and output that may block, and flockfile.
#include <sys/un.h>

#include <cerrno>

#include "runtime/abi/export.h"
#include "runtime/interpose/file_changes.h"
#include "runtime/interpose/file_lock_operations.h"
#include "runtime/interpose/io_operations.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"

using namespace ravel;

namespace {

timespec from_milliseconds(int milliseconds) {
  return timespec{milliseconds / 1000, static_cast<long>(milliseconds % 1000) * 1'000'000};
}

int poll_milliseconds(pollfd* descriptors, nfds_t count, int milliseconds, CallSite pc) {
  const timespec limit = from_milliseconds(milliseconds < 0 ? 0 : milliseconds);
  return io_poll(descriptors, count, milliseconds < 0 ? nullptr : &limit, nullptr, pc);
}

}  // namespace

RAVEL_EXPORT ssize_t read(int descriptor, void* buffer, size_t size) {
  if (!under_engine()) return real().read(descriptor, buffer, size);
  return io_read(descriptor, buffer, size, RAVEL_CALL_SITE);
}

RAVEL_EXPORT ssize_t __read_chk(int descriptor, void* buffer, size_t size, size_t capacity) {
  if (!under_engine() || size > capacity) return real().__read_chk(descriptor, buffer, size, capacity);
  return io_read(descriptor, buffer, size, RAVEL_CALL_SITE);
}

RAVEL_EXPORT ssize_t write(int descriptor, const void* buffer, size_t size) {
  if (!under_engine()) return real().write(descriptor, buffer, size);
  return io_write(descriptor, buffer, size, RAVEL_CALL_SITE);
}

RAVEL_EXPORT ssize_t readv(int descriptor, const iovec* parts, int count) {
  if (!under_engine()) return real().readv(descriptor, parts, count);
  return io_readv(descriptor, parts, count, RAVEL_CALL_SITE);
}

RAVEL_EXPORT ssize_t writev(int descriptor, const iovec* parts, int count) {
  if (!under_engine()) return real().writev(descriptor, parts, count);
  return io_writev(descriptor, parts, count, RAVEL_CALL_SITE);
}

RAVEL_EXPORT ssize_t recv(int descriptor, void* buffer, size_t size, int flags) {
  if (!under_engine()) return real().recv(descriptor, buffer, size, flags);
  return io_receive(descriptor, buffer, size, flags, nullptr, nullptr, RAVEL_CALL_SITE);
}

RAVEL_EXPORT ssize_t __recv_chk(int descriptor, void* buffer, size_t size, size_t capacity, int flags) {
  if (!under_engine() || size > capacity) return real().__recv_chk(descriptor, buffer, size, capacity, flags);
  return io_receive(descriptor, buffer, size, flags, nullptr, nullptr, RAVEL_CALL_SITE);
}

RAVEL_EXPORT ssize_t recvfrom(int descriptor, void* buffer, size_t size, int flags, sockaddr* address,
                              socklen_t* length) {
  if (!under_engine()) return real().recvfrom(descriptor, buffer, size, flags, address, length);
  return io_receive(descriptor, buffer, size, flags, address, length, RAVEL_CALL_SITE);
}

RAVEL_EXPORT ssize_t __recvfrom_chk(int descriptor, void* buffer, size_t size, size_t capacity, int flags,
                                    sockaddr* address, socklen_t* length) {
  if (!under_engine() || size > capacity) {
    return real().__recvfrom_chk(descriptor, buffer, size, capacity, flags, address, length);
  }
  return io_receive(descriptor, buffer, size, flags, address, length, RAVEL_CALL_SITE);
}

RAVEL_EXPORT ssize_t recvmsg(int descriptor, msghdr* message, int flags) {
  if (!under_engine()) return real().recvmsg(descriptor, message, flags);
  return io_receive_message(descriptor, message, flags, RAVEL_CALL_SITE);
}

RAVEL_EXPORT ssize_t send(int descriptor, const void* buffer, size_t size, int flags) {
  if (!under_engine()) return real().send(descriptor, buffer, size, flags);
  return io_send(descriptor, buffer, size, flags, nullptr, 0, RAVEL_CALL_SITE);
}

RAVEL_EXPORT ssize_t sendto(int descriptor, const void* buffer, size_t size, int flags, const sockaddr* address,
                            socklen_t length) {
  if (!under_engine()) return real().sendto(descriptor, buffer, size, flags, address, length);
  return io_send(descriptor, buffer, size, flags, address, length, RAVEL_CALL_SITE);
}

RAVEL_EXPORT ssize_t sendmsg(int descriptor, const msghdr* message, int flags) {
  if (!under_engine()) return real().sendmsg(descriptor, message, flags);
  return io_send_message(descriptor, message, flags, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int accept(int descriptor, sockaddr* address, socklen_t* length) {
  if (!under_engine()) return real().accept(descriptor, address, length);
  return io_accept(descriptor, address, length, 0, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int accept4(int descriptor, sockaddr* address, socklen_t* length, int flags) {
  if (!under_engine()) return real().accept4(descriptor, address, length, flags);
  return io_accept(descriptor, address, length, flags, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int connect(int descriptor, const sockaddr* address, socklen_t length) {
  if (!under_engine()) return real().connect(descriptor, address, length);
  const int result = io_connect(descriptor, address, length, RAVEL_CALL_SITE);
  sockaddr_un on_disk;
  if (result == 0 || errno != ECONNREFUSED || !address_on_disk(address, length, on_disk)) return result;
  return io_connect(descriptor, reinterpret_cast<sockaddr*>(&on_disk), sizeof on_disk, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int close(int descriptor) {
  if (!under_engine()) return real().close(descriptor);
  return io_close(descriptor, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int shutdown(int descriptor, int how) {
  if (!under_engine()) return real().shutdown(descriptor, how);
  return io_shutdown(descriptor, how, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int poll(pollfd* descriptors, nfds_t count, int milliseconds) {
  if (!under_engine()) return real().poll(descriptors, count, milliseconds);
  return poll_milliseconds(descriptors, count, milliseconds, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int __poll_chk(pollfd* descriptors, nfds_t count, int milliseconds, size_t capacity) {
  if (!under_engine() || capacity / sizeof(pollfd) < count) {
    return real().__poll_chk(descriptors, count, milliseconds, capacity);
  }
  return poll_milliseconds(descriptors, count, milliseconds, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int ppoll(pollfd* descriptors, nfds_t count, const timespec* timeout, const sigset_t* mask) {
  if (!under_engine()) return real().ppoll(descriptors, count, timeout, mask);
  return io_poll(descriptors, count, timeout, mask, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int __ppoll_chk(pollfd* descriptors, nfds_t count, const timespec* timeout, const sigset_t* mask,
                             size_t capacity) {
  if (!under_engine() || capacity / sizeof(pollfd) < count) {
    return real().__ppoll_chk(descriptors, count, timeout, mask, capacity);
  }
  return io_poll(descriptors, count, timeout, mask, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int select(int count, fd_set* read, fd_set* write, fd_set* except, timeval* timeout) {
  if (!under_engine()) return real().select(count, read, write, except, timeout);
  return io_select(count, read, write, except, timeout, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pselect(int count, fd_set* read, fd_set* write, fd_set* except, const timespec* timeout,
                         const sigset_t* mask) {
  if (!under_engine()) return real().pselect(count, read, write, except, timeout, mask);
  return io_pselect(count, read, write, except, timeout, mask, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int epoll_ctl(int descriptor, int operation, int subject, epoll_event* event) noexcept {
  if (under_engine()) io_epoll_changed(descriptor);
  return real().epoll_ctl(descriptor, operation, subject, event);
}

RAVEL_EXPORT int epoll_wait(int descriptor, epoll_event* events, int capacity, int milliseconds) {
  if (!under_engine()) return real().epoll_wait(descriptor, events, capacity, milliseconds);
  return io_epoll_wait(descriptor, events, capacity, milliseconds, nullptr, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int epoll_pwait(int descriptor, epoll_event* events, int capacity, int milliseconds,
                             const sigset_t* mask) {
  if (!under_engine()) return real().epoll_pwait(descriptor, events, capacity, milliseconds, mask);
  return io_epoll_wait(descriptor, events, capacity, milliseconds, mask, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int eventfd_read(int descriptor, eventfd_t* value) {
  if (!under_engine()) return real().eventfd_read(descriptor, value);
  return io_read(descriptor, value, sizeof *value, RAVEL_CALL_SITE) == sizeof *value ? 0 : -1;
}

RAVEL_EXPORT int eventfd_write(int descriptor, eventfd_t value) {
  if (!under_engine()) return real().eventfd_write(descriptor, value);
  return io_write(descriptor, &value, sizeof value, RAVEL_CALL_SITE) == sizeof value ? 0 : -1;
}

RAVEL_EXPORT void flockfile(FILE* file) {
  if (!under_engine()) return real().flockfile(file);
  lock_file(file, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int ftrylockfile(FILE* file) {
  if (!under_engine()) return real().ftrylockfile(file);
  return try_lock_file(file, RAVEL_CALL_SITE);
}

RAVEL_EXPORT void funlockfile(FILE* file) {
  if (!under_engine()) return real().funlockfile(file);
  unlock_file(file, RAVEL_CALL_SITE);
}
