// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/io_operations.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include <cerrno>

#include "runtime/files/raw_files.h"
#include "runtime/interpose/external_waits.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/sync_edges.h"
#include "runtime/interpose/time_operations.h"
#include "runtime/interpose/timer_operations.h"
#include "runtime/interpose/virtual_time.h"

namespace ravel {
namespace {

Operation operation_for(int descriptor, CallSite pc) {
  return operation_on(OperationKind::io, static_cast<std::uint64_t>(static_cast<unsigned>(descriptor)), pc);
}

// The descriptor is valid and in blocking mode.
bool is_blocking(int descriptor) {
  const long flags = raw_fcntl(descriptor, F_GETFL);
  return flags >= 0 && (flags & O_NONBLOCK) == 0;
}

// Waits until one of the descriptors is ready or the time is up. A timer among them is ready when its time comes, so
// its deadline is that of the wait.
Turn reach_descriptors(const Operation& operation, ExternalWait& wait, std::uint64_t deadline) {
  for (;;) {
    expire_descriptors();
    std::uint64_t until = deadline;
    bool brief = false;
    if (!is_ready(wait)) {
      const std::uint64_t timer = next_expiration(wait);
      if (timer < deadline) {
        until = timer;
        brief = begin_sleep(timer);
      } else {
        begin_timed_wait(deadline);
      }
    }
    const Turn turn = reach_external(operation, wait, until, brief);
    if (turn != Turn::timed_out || scheduler().now() >= deadline) return turn;
    expire_descriptors();
    if (is_ready(wait)) return Turn::go;
  }
}

// The scheduling point of a call on one descriptor. False when a signal interrupted it (errno is set).
bool reach_ready(int descriptor, short events, bool may_block, CallSite pc) {
  test_cancel();
  if (!may_block || !is_blocking(descriptor)) {
    reach_point(operation_for(descriptor, pc));
    expire_descriptors();
    return true;
  }
  pollfd waited{descriptor, events, 0};
  ExternalWait wait;
  wait.descriptors = &waited;
  wait.count = 1;
  if (reach_descriptors(operation_for(descriptor, pc), wait, kNever) == Turn::cancelled) cancel_current();
  if (is_ready(wait)) return true;
  errno = EINTR;
  return false;
}

template <typename Result>
Result done(Result result) {
  const int saved_errno = errno;
  external_changed();
  errno = saved_errno;
  return result;
}

// Data that goes through a descriptor orders its reader after its writer. Both ends of a pipe, and everybody who opened
// the same file, have one inode in common. Two sockets that are connected, and objects such as eventfd, cannot be told
// apart from others of their kind: those share one past, which orders more than it must.
std::uint64_t stream_of(int descriptor) {
  struct stat status = {};
  const int saved_errno = errno;
  const bool known = fstat(descriptor, &status) == 0;
  errno = saved_errno;
  const mode_t type = status.st_mode & S_IFMT;
  if (!known || type == S_IFSOCK || type == 0) return edge_key(EdgeKind::any_stream);
  return edge_key(EdgeKind::stream, status.st_ino * 0x9e3779b97f4a7c15ULL + status.st_dev);
}

// Before the effect: a descriptor that is closed has no inode any more.
void sent_through(int descriptor) {
  if (!tracks_order()) return;
  const std::uint64_t stream = stream_of(descriptor);
  release_edge(stream);
  // Whoever waits for events learns of all of them.
  if (stream != edge_key(EdgeKind::any_stream)) release_edge(edge_key(EdgeKind::any_stream));
}

template <typename Result>
Result received_from(int descriptor, Result result) {
  if (tracks_order() && result >= 0) acquire_edge(stream_of(descriptor));
  return result;
}

template <typename Result>
Result received_event(Result result) {
  if (result > 0) acquire_edge(edge_key(EdgeKind::any_stream));
  return result;
}

mode_t type_of(int descriptor) {
  struct stat status = {};
  const int saved_errno = errno;
  const bool known = fstat(descriptor, &status) == 0;
  errno = saved_errno;
  return known ? status.st_mode & S_IFMT : 0;
}

// Writes all of the buffer through calls none of which can block once the kernel says "ready". `write_some` gets what
// is left and returns what the system call returned.
template <typename WriteSome>
ssize_t write_all(int descriptor, const void* buffer, std::size_t size, CallSite pc, WriteSome write_some) {
  const char* bytes = static_cast<const char*>(buffer);
  std::size_t written = 0;
  do {
    if (!reach_ready(descriptor, POLLOUT, true, pc)) return written > 0 ? static_cast<ssize_t>(written) : -1;
    sent_through(descriptor);
    const ssize_t part = done(write_some(bytes + written, size - written));
    if (part < 0) {
      if (errno == EAGAIN || errno == EWOULDBLOCK) continue;
      return written > 0 ? static_cast<ssize_t>(written) : -1;
    }
    written += static_cast<std::size_t>(part);
  } while (written < size);
  return static_cast<ssize_t>(written);
}

std::size_t total_size(const iovec* parts, int count) {
  std::size_t size = 0;
  for (int i = 0; i < count; ++i) size += parts[i].iov_len;
  return size;
}

std::uint64_t deadline_of(const timespec* timeout) { return timeout == nullptr ? kNever : deadline_after(*timeout); }

// Common part of poll, select and epoll: waits until one of the descriptors is ready or the time is up. False when a
// signal interrupted it (errno is set).
bool reach_any(pollfd* descriptors, nfds_t count, const timespec* timeout, CallSite pc) {
  if (count == 0 && timeout != nullptr) {  // nothing to wait for but the time
    const int error = sleep_for(*timeout, nullptr, pc);
    if (error != 0) errno = error;
    return error == 0;
  }
  test_cancel();
  ExternalWait wait;
  wait.descriptors = descriptors;
  wait.count = count;
  const Operation operation = operation_for(count > 0 ? descriptors[0].fd : -1, pc);
  const std::uint64_t deadline = deadline_of(timeout);
  const Turn turn = reach_descriptors(operation, wait, deadline);
  if (turn == Turn::cancelled) cancel_current();
  if (turn == Turn::timed_out || is_ready(wait)) return true;
  errno = EINTR;
  return false;
}

bool is_valid_timeout(const timespec* timeout) {
  return timeout == nullptr || (has_valid_nanoseconds(*timeout) && timeout->tv_sec >= 0);
}

// One pollfd for each descriptor of the sets; FD_SETSIZE bounds them.
nfds_t to_poll(int count, const fd_set* read, const fd_set* write, const fd_set* except, pollfd (&out)[FD_SETSIZE]) {
  nfds_t used = 0;
  for (int descriptor = 0; descriptor < count && descriptor < FD_SETSIZE; ++descriptor) {
    int events = 0;
    if (read != nullptr && FD_ISSET(descriptor, read)) events |= POLLIN;
    if (write != nullptr && FD_ISSET(descriptor, write)) events |= POLLOUT;
    if (except != nullptr && FD_ISSET(descriptor, except)) events |= POLLPRI;
    if (events != 0) out[used++] = pollfd{descriptor, static_cast<short>(events), 0};
  }
  return used;
}

int select_now(int count, fd_set* read, fd_set* write, fd_set* except) {
  timeval at_once = {};
  return received_event(done(real().select(count, read, write, except, &at_once)));
}

}  // namespace

ssize_t io_read(int descriptor, void* buffer, std::size_t size, CallSite pc) {
  if (!reach_ready(descriptor, POLLIN, true, pc)) return -1;
  const ssize_t result = received_from(descriptor, done(real().read(descriptor, buffer, size)));
  count_expirations(descriptor, buffer, result);
  return result;
}

ssize_t io_write(int descriptor, const void* buffer, std::size_t size, CallSite pc) {
  const mode_t type = type_of(descriptor);
  if (is_blocking(descriptor) && type == S_IFIFO) {
    // "Ready" promises room for PIPE_BUF bytes, no more.
    return write_all(descriptor, buffer, size, pc, [=](const char* bytes, std::size_t left) {
      return real().write(descriptor, bytes, left < PIPE_BUF ? left : PIPE_BUF);
    });
  }
  if (is_blocking(descriptor) && type == S_IFSOCK) return io_send(descriptor, buffer, size, 0, nullptr, 0, pc);
  if (!reach_ready(descriptor, POLLOUT, true, pc)) return -1;
  sent_through(descriptor);
  return done(real().write(descriptor, buffer, size));
}

ssize_t io_readv(int descriptor, const iovec* parts, int count, CallSite pc) {
  if (!reach_ready(descriptor, POLLIN, true, pc)) return -1;
  return received_from(descriptor, done(real().readv(descriptor, parts, count)));
}

ssize_t io_writev(int descriptor, const iovec* parts, int count, CallSite pc) {
  const mode_t type = type_of(descriptor);
  const bool may_split = (type == S_IFIFO || type == S_IFSOCK) && is_blocking(descriptor) && count > 0 &&
                         count <= IOV_MAX && total_size(parts, count) > PIPE_BUF;
  if (!may_split) {
    if (!reach_ready(descriptor, POLLOUT, true, pc)) return -1;
    sent_through(descriptor);
    return done(real().writev(descriptor, parts, count));
  }
  ssize_t written = 0;
  for (int i = 0; i < count; ++i) {
    if (parts[i].iov_len == 0) continue;
    const ssize_t part = io_write(descriptor, parts[i].iov_base, parts[i].iov_len, pc);
    if (part < 0) return written > 0 ? written : -1;
    written += part;
    if (static_cast<std::size_t>(part) < parts[i].iov_len) break;
  }
  return written;
}

ssize_t io_receive(int descriptor, void* buffer, std::size_t size, int flags, sockaddr* address, socklen_t* length,
                   CallSite pc) {
  const bool all = (flags & MSG_WAITALL) != 0 && (flags & (MSG_DONTWAIT | MSG_PEEK)) == 0 && is_blocking(descriptor);
  char* bytes = static_cast<char*>(buffer);
  std::size_t received = 0;
  do {
    if (!reach_ready(descriptor, POLLIN, (flags & MSG_DONTWAIT) == 0, pc)) break;
    const int now = all ? (flags & ~MSG_WAITALL) | MSG_DONTWAIT : flags;
    const ssize_t part = received_from(
        descriptor, done(real().recvfrom(descriptor, bytes + received, size - received, now, address, length)));
    if (!all) return part;
    if (part < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) continue;
    if (part < 0) break;
    received += static_cast<std::size_t>(part);
    if (part == 0) return static_cast<ssize_t>(received);
  } while (received < size);
  return received > 0 || size == 0 ? static_cast<ssize_t>(received) : -1;
}

ssize_t io_receive_message(int descriptor, msghdr* message, int flags, CallSite pc) {
  if (!reach_ready(descriptor, POLLIN, (flags & MSG_DONTWAIT) == 0, pc)) return -1;
  return received_from(descriptor, done(real().recvmsg(descriptor, message, flags)));
}

ssize_t io_send(int descriptor, const void* buffer, std::size_t size, int flags, const sockaddr* address,
                socklen_t length, CallSite pc) {
  if ((flags & MSG_DONTWAIT) != 0 || !is_blocking(descriptor)) {
    reach_ready(descriptor, POLLOUT, false, pc);
    sent_through(descriptor);
    return done(real().sendto(descriptor, buffer, size, flags, address, length));
  }
  return write_all(descriptor, buffer, size, pc, [=](const char* bytes, std::size_t left) {
    return real().sendto(descriptor, bytes, left, flags | MSG_DONTWAIT, address, length);
  });
}

ssize_t io_send_message(int descriptor, const msghdr* message, int flags, CallSite pc) {
  const bool may_block = (flags & MSG_DONTWAIT) == 0 && is_blocking(descriptor);
  for (;;) {
    if (!reach_ready(descriptor, POLLOUT, may_block, pc)) return -1;
    sent_through(descriptor);
    const ssize_t sent = done(real().sendmsg(descriptor, message, flags | (may_block ? MSG_DONTWAIT : 0)));
    if (sent >= 0 || !may_block || (errno != EAGAIN && errno != EWOULDBLOCK)) return sent;
  }
}

int io_accept(int descriptor, sockaddr* address, socklen_t* length, int flags, CallSite pc) {
  if (!reach_ready(descriptor, POLLIN, true, pc)) return -1;
  return received_from(descriptor, done(real().accept4(descriptor, address, length, flags)));
}

int io_connect(int descriptor, const sockaddr* address, socklen_t length, CallSite pc) {
  // Local connections are queued by the listener: they need no other task to run.
  test_cancel();
  reach_point(operation_for(descriptor, pc));
  sent_through(descriptor);
  return done(real().connect(descriptor, address, length));
}

int io_close(int descriptor, CallSite pc) {
  test_cancel();
  reach_point(operation_for(descriptor, pc));
  sent_through(descriptor);
  forget_timer_descriptor(descriptor);
  return done(real().close(descriptor));
}

int io_shutdown(int descriptor, int how, CallSite pc) {
  reach_point(operation_for(descriptor, pc));
  sent_through(descriptor);
  return done(real().shutdown(descriptor, how));
}

int io_poll(pollfd* descriptors, nfds_t count, const timespec* timeout, const sigset_t* mask, CallSite pc) {
  const timespec at_once = {};
  if (!is_valid_timeout(timeout)) return real().ppoll(descriptors, count, timeout, mask);
  if (!reach_any(descriptors, count, timeout, pc)) return -1;
  return received_event(done(real().ppoll(descriptors, count, &at_once, mask)));
}

int io_select(int count, fd_set* read, fd_set* write, fd_set* except, timeval* timeout, CallSite pc) {
  pollfd descriptors[FD_SETSIZE];
  const nfds_t used = to_poll(count, read, write, except, descriptors);
  timespec limit = {};
  if (timeout != nullptr) {
    if (timeout->tv_sec < 0 || timeout->tv_usec < 0) {
      errno = EINVAL;
      return -1;
    }
    limit = timespec{timeout->tv_sec + timeout->tv_usec / 1000000, (timeout->tv_usec % 1000000) * 1000};
  }
  const std::uint64_t deadline = timeout == nullptr ? kNever : deadline_after(limit);
  const bool over = reach_any(descriptors, used, timeout == nullptr ? nullptr : &limit, pc);
  if (timeout != nullptr) {
    const timespec left = time_until(deadline);  // Linux tells how much was not slept
    *timeout = timeval{left.tv_sec, left.tv_nsec / 1000};
  }
  return over ? select_now(count, read, write, except) : -1;
}

int io_pselect(int count, fd_set* read, fd_set* write, fd_set* except, const timespec* timeout, const sigset_t* mask,
               CallSite pc) {
  if (!is_valid_timeout(timeout)) return real().pselect(count, read, write, except, timeout, mask);
  pollfd descriptors[FD_SETSIZE];
  const nfds_t used = to_poll(count, read, write, except, descriptors);
  if (!reach_any(descriptors, used, timeout, pc)) return -1;
  return select_now(count, read, write, except);
}

int io_epoll_wait(int descriptor, epoll_event* events, int capacity, int milliseconds, const sigset_t* mask,
                  CallSite pc) {
  pollfd waited{descriptor, POLLIN, 0};
  const timespec limit = to_timespec(milliseconds < 0 ? 0 : static_cast<std::uint64_t>(milliseconds) * 1000000);
  if (!reach_any(&waited, 1, milliseconds < 0 ? nullptr : &limit, pc)) return -1;
  return received_event(done(real().epoll_pwait(descriptor, events, capacity, 0, mask)));
}

void io_epoll_changed(int descriptor) { sent_through(descriptor); }

}  // namespace ravel
