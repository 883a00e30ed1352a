// SPDX-License-Identifier: Apache-2.0
// What the kernel keeps about a process and a resident child cannot put back: signal dispositions, timers, the working
// directory, protections, credentials, limits. The real functions, and word of the change.
#include <grp.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "runtime/abi/export.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/resident/residence.h"

using namespace ravel;

RAVEL_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* before) noexcept {
  if (action != nullptr) cannot_be_put_back();
  return real().sigaction(number, action, before);
}

RAVEL_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
  cannot_be_put_back();
  return real().signal(number, handler);
}

RAVEL_EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept {
  cannot_be_put_back();
  return real().__sysv_signal(number, handler);
}

RAVEL_EXPORT int siginterrupt(int number, int interrupt) noexcept {
  cannot_be_put_back();
  return real().siginterrupt(number, interrupt);
}

RAVEL_EXPORT int setitimer(__itimer_which_t which, const itimerval* timer, itimerval* before) noexcept {
  cannot_be_put_back();
  return real().setitimer(which, timer, before);
}

RAVEL_EXPORT unsigned alarm(unsigned seconds) noexcept {
  cannot_be_put_back();
  return real().alarm(seconds);
}

RAVEL_EXPORT __useconds_t ualarm(__useconds_t first, __useconds_t interval) noexcept {
  cannot_be_put_back();
  return real().ualarm(first, interval);
}

RAVEL_EXPORT int timer_create(clockid_t clock, sigevent* event, timer_t* timer) noexcept {
  cannot_be_put_back();
  return real().timer_create(clock, event, timer);
}

RAVEL_EXPORT int chdir(const char* path) noexcept {
  cannot_be_put_back();
  return real().chdir(path);
}

RAVEL_EXPORT int fchdir(int directory) noexcept {
  cannot_be_put_back();
  return real().fchdir(directory);
}

RAVEL_EXPORT int chroot(const char* path) noexcept {
  cannot_be_put_back();
  return real().chroot(path);
}

RAVEL_EXPORT mode_t umask(mode_t mask) noexcept {
  cannot_be_put_back();
  return real().umask(mask);
}

RAVEL_EXPORT int mprotect(void* start, size_t bytes, int protection) noexcept {
  cannot_be_put_back();
  return real().mprotect(start, bytes, protection);
}

RAVEL_EXPORT int posix_madvise(void* start, size_t bytes, int advice) noexcept {
  cannot_be_put_back();
  return real().posix_madvise(start, bytes, advice);
}

RAVEL_EXPORT int mlock(const void* start, size_t bytes) noexcept {
  cannot_be_put_back();
  return real().mlock(start, bytes);
}

RAVEL_EXPORT int mlockall(int flags) noexcept {
  cannot_be_put_back();
  return real().mlockall(flags);
}

// Gives pages back, which then read as zeros although nobody wrote to them.
RAVEL_EXPORT int malloc_trim(size_t kept) noexcept {
  cannot_be_put_back();
  return real().malloc_trim(kept);
}

RAVEL_EXPORT int setrlimit(__rlimit_resource_t resource, const rlimit* limit) noexcept {
  cannot_be_put_back();
  return real().setrlimit(resource, limit);
}

RAVEL_EXPORT int setrlimit64(__rlimit_resource_t resource, const rlimit64* limit) noexcept {
  cannot_be_put_back();
  return real().setrlimit64(resource, limit);
}

RAVEL_EXPORT int prlimit(pid_t process, __rlimit_resource resource, const rlimit* limit, rlimit* before) noexcept {
  if (limit != nullptr) cannot_be_put_back();
  return real().prlimit(process, resource, limit, before);
}

RAVEL_EXPORT int prlimit64(pid_t process, __rlimit_resource resource, const rlimit64* limit,
                           rlimit64* before) noexcept {
  if (limit != nullptr) cannot_be_put_back();
  return real().prlimit64(process, resource, limit, before);
}

RAVEL_EXPORT int setuid(uid_t user) noexcept {
  cannot_be_put_back();
  return real().setuid(user);
}

RAVEL_EXPORT int seteuid(uid_t user) noexcept {
  cannot_be_put_back();
  return real().seteuid(user);
}

RAVEL_EXPORT int setreuid(uid_t user, uid_t effective) noexcept {
  cannot_be_put_back();
  return real().setreuid(user, effective);
}

RAVEL_EXPORT int setresuid(uid_t user, uid_t effective, uid_t saved) noexcept {
  cannot_be_put_back();
  return real().setresuid(user, effective, saved);
}

RAVEL_EXPORT int setgid(gid_t group) noexcept {
  cannot_be_put_back();
  return real().setgid(group);
}

RAVEL_EXPORT int setegid(gid_t group) noexcept {
  cannot_be_put_back();
  return real().setegid(group);
}

RAVEL_EXPORT int setregid(gid_t group, gid_t effective) noexcept {
  cannot_be_put_back();
  return real().setregid(group, effective);
}

RAVEL_EXPORT int setresgid(gid_t group, gid_t effective, gid_t saved) noexcept {
  cannot_be_put_back();
  return real().setresgid(group, effective, saved);
}

RAVEL_EXPORT int setgroups(size_t count, const gid_t* groups) noexcept {
  cannot_be_put_back();
  return real().setgroups(count, groups);
}

RAVEL_EXPORT int setpgid(pid_t process, pid_t group) noexcept {
  cannot_be_put_back();
  return real().setpgid(process, group);
}

RAVEL_EXPORT pid_t setsid() noexcept {
  cannot_be_put_back();
  return real().setsid();
}

RAVEL_EXPORT int unshare(int flags) noexcept {
  cannot_be_put_back();
  return real().unshare(flags);
}
