// SPDX-License-Identifier: Apache-2.0
#include "runtime/files/kernel_objects.h"

#include <linux/kcmp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/timerfd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "runtime/files/raw_files.h"

namespace ravel {
namespace {

bool same_object(int one, int other) {
  const long self = raw_syscall(SYS_getpid);
  return raw_syscall(SYS_kcmp, self, self, KCMP_FILE, one, other) == 0;
}

// The number after `name` in what the kernel says of a descriptor. False: it does not say.
bool read_number(const char* text, const char* name, int base, std::uint64_t& value) {
  const char* const found = strstr(text, name);
  if (found == nullptr) return false;
  value = strtoull(found + strlen(name), nullptr, base);
  return true;
}

// Puts a new object in the place of an old one.
bool replace(int made, int descriptor, int flags, bool closes_on_exec) {
  if (made < 0) return false;
  const bool placed =
      made != descriptor && raw_syscall(SYS_dup3, made, descriptor, closes_on_exec ? O_CLOEXEC : 0) == descriptor;
  raw_close(made);
  return placed && raw_fcntl(descriptor, F_SETFL, flags) == 0;
}

}  // namespace

bool KernelObjects::add(int descriptor) {
  if (count_ == kMost) return false;
  char path[64];
  char link[64] = {};
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  if (raw_syscall(SYS_readlinkat, AT_FDCWD, raw_of(path), raw_of(link), sizeof link - 1) <= 0) return false;
  Object object{};
  object.descriptor = descriptor;
  object.same_as = descriptor;
  object.flags = static_cast<int>(raw_fcntl(descriptor, F_GETFL));
  object.closes_on_exec = (raw_fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0;
  const std::string_view name = link;
  if (name.starts_with("pipe:")) {
    object.kind = (object.flags & O_ACCMODE) == O_RDONLY ? Kind::pipe_read : Kind::pipe_write;
    if (!read_pipe(object)) return false;
  } else if (name == "anon_inode:[eventfd]") {
    object.kind = Kind::counter;
  } else if (name == "anon_inode:[timerfd]") {
    object.kind = Kind::timer;
  } else if (name == "anon_inode:[signalfd]") {
    object.kind = Kind::signals;
  } else if (name == "anon_inode:[eventpoll]") {
    object.kind = Kind::set;
  } else {
    return false;
  }
  for (std::size_t i = 0; i < count_ && object.same_as == descriptor; ++i) {
    const Object& other = objects_[i];
    if (other.kind == object.kind && same_object(other.descriptor, descriptor)) object.same_as = other.same_as;
  }
  char text[8192];
  snprintf(path, sizeof path, "/proc/self/fdinfo/%d", descriptor);
  if (raw_read_text(path, text, sizeof text) + 1 == sizeof text) return false;  // a set with very many members
  if (object.same_as == descriptor && !read_state(object, text)) return false;
  objects_[count_++] = object;
  return true;
}

bool KernelObjects::read_pipe(Object& object) const {
  struct stat status {};
  int waiting = 0;
  if ((object.flags & O_ACCMODE) == O_RDWR || raw_stat(object.descriptor, status) < 0) return false;
  if (raw_syscall(SYS_ioctl, object.descriptor, FIONREAD, raw_of(&waiting)) < 0 || waiting != 0) return false;
  object.value = status.st_ino;
  object.capacity = raw_fcntl(object.descriptor, F_GETPIPE_SZ);
  return true;
}

bool KernelObjects::read_state(Object& object, const char* text) {
  std::uint64_t number = 0;
  switch (object.kind) {
    case Kind::pipe_read:
    case Kind::pipe_write:
      return true;
    case Kind::counter:
      // Older kernels do not say whether it is a semaphore.
      if (!read_number(text, "eventfd-semaphore:", 10, number)) return false;
      object.counts_down = number != 0;
      return read_number(text, "eventfd-count:", 16, object.value);
    case Kind::timer:
      if (!read_number(text, "clockid:", 10, number)) return false;
      object.clock = static_cast<int>(number);
      return read_number(text, "ticks:", 10, object.value) && object.value == 0;
    case Kind::signals:
      return read_number(text, "sigmask:", 16, object.value);
    case Kind::set:
      return add_members(object.descriptor, text);
  }
  return false;
}

bool KernelObjects::add_members(int set, const char* text) {
  for (const char* line = strstr(text, "tfd:"); line != nullptr; line = strstr(line + 1, "tfd:")) {
    std::uint64_t descriptor = 0;
    std::uint64_t events = 0;
    Member member{};
    if (member_count_ == kMostMembers || !read_number(line, "tfd:", 10, descriptor) ||
        !read_number(line, "events:", 16, events) || !read_number(line, "data:", 16, member.data)) {
      return false;
    }
    member.set = set;
    member.descriptor = static_cast<int>(descriptor);
    member.events = static_cast<std::uint32_t>(events);
    if (raw_fcntl(member.descriptor, F_GETFD) < 0) return false;  // it was closed, and lives on under another number
    members_[member_count_++] = member;
  }
  return true;
}

// Each pipe must have both ends here: an end that somebody else has cannot be made again.
bool KernelObjects::pipes_are_whole() const {
  for (std::size_t i = 0; i < count_; ++i) {
    const Object& end = objects_[i];
    if (end.kind != Kind::pipe_read && end.kind != Kind::pipe_write) continue;
    const Kind wanted = end.kind == Kind::pipe_read ? Kind::pipe_write : Kind::pipe_read;
    bool found = false;
    for (std::size_t k = 0; k < count_; ++k) {
      found = found || (objects_[k].kind == wanted && objects_[k].value == end.value);
    }
    if (!found) return false;
  }
  return true;
}

bool KernelObjects::make_pipe(const Object& reader) const {
  int ends[2];
  if (raw_syscall(SYS_pipe2, raw_of(ends), O_CLOEXEC) < 0) return false;
  bool made = true;
  for (std::size_t i = 0; i < count_; ++i) {
    const Object& end = objects_[i];
    if ((end.kind != Kind::pipe_read && end.kind != Kind::pipe_write) || end.value != reader.value) continue;
    const int from = static_cast<int>(raw_fcntl(ends[end.kind == Kind::pipe_read ? 0 : 1], F_DUPFD_CLOEXEC));
    made = replace(from, end.descriptor, end.flags, end.closes_on_exec) && made;
  }
  raw_close(ends[0]);
  raw_close(ends[1]);
  constexpr long kUsualCapacity = 65536;
  if (reader.capacity != kUsualCapacity) raw_fcntl(reader.descriptor, F_SETPIPE_SZ, reader.capacity);
  return made;
}

bool KernelObjects::make(const Object& object) const {
  long made = -1;
  switch (object.kind) {
    case Kind::pipe_read:
      return make_pipe(object);
    case Kind::pipe_write:
      return true;  // with the other end
    case Kind::counter:
      made = raw_syscall(SYS_eventfd2, 0, object.counts_down ? EFD_SEMAPHORE : 0);
      if (made >= 0 && object.value != 0) raw_write(static_cast<int>(made), &object.value, sizeof object.value);
      break;
    case Kind::timer: {
      itimerspec left{};
      raw_syscall(SYS_timerfd_gettime, object.descriptor, raw_of(&left));
      made = raw_syscall(SYS_timerfd_create, object.clock, 0);
      if (made >= 0) raw_syscall(SYS_timerfd_settime, made, 0, raw_of(&left), 0);
      break;
    }
    case Kind::signals:
      made = raw_syscall(SYS_signalfd4, -1, raw_of(&object.value), sizeof object.value, 0);
      break;
    case Kind::set:
      made = raw_syscall(SYS_epoll_create1, 0);
      break;
  }
  return replace(static_cast<int>(made), object.descriptor, object.flags, object.closes_on_exec);
}

bool KernelObjects::make_again() const {
  bool made = true;
  for (std::size_t i = 0; i < count_; ++i) {
    if (objects_[i].same_as == objects_[i].descriptor) made = make(objects_[i]) && made;
  }
  for (std::size_t i = 0; i < count_; ++i) {
    const Object& object = objects_[i];
    const bool is_pipe = object.kind == Kind::pipe_read || object.kind == Kind::pipe_write;
    if (object.same_as == object.descriptor || is_pipe) continue;
    made = raw_syscall(SYS_dup3, object.same_as, object.descriptor, object.closes_on_exec ? O_CLOEXEC : 0) >= 0 && made;
  }
  for (std::size_t i = 0; i < member_count_; ++i) {
    const Member& member = members_[i];
    epoll_event event{};
    event.events = member.events;
    event.data.u64 = member.data;
    made = raw_syscall(SYS_epoll_ctl, member.set, EPOLL_CTL_ADD, member.descriptor, raw_of(&event)) == 0 && made;
  }
  return made;
}

}  // namespace ravel
