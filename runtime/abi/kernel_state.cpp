// SPDX-License-Identifier: Apache-2.0
// What the kernel keeps about a process and a resident child cannot put back: the working directory, protections,
// credentials, limits. The real functions, and word of the change.
#include <grp.h>
#include <malloc.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/abi/export.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/resident/residence.h"

using namespace ravel;

// The function of libc, which changes such a thing.
#define RAVEL_CHANGES(result, name, parameters, arguments) \
  RAVEL_EXPORT result name parameters noexcept {           \
    cannot_be_put_back();                                  \
    return real().name arguments;                          \
  }

RAVEL_CHANGES(int, chdir, (const char* path), (path))
RAVEL_CHANGES(int, fchdir, (int directory), (directory))
RAVEL_CHANGES(int, chroot, (const char* path), (path))
RAVEL_CHANGES(mode_t, umask, (mode_t mask), (mask))

RAVEL_CHANGES(int, mprotect, (void* start, size_t bytes, int protection), (start, bytes, protection))
RAVEL_CHANGES(int, posix_madvise, (void* start, size_t bytes, int advice), (start, bytes, advice))
RAVEL_CHANGES(int, mlock, (const void* start, size_t bytes), (start, bytes))
RAVEL_CHANGES(int, mlockall, (int flags), (flags))
RAVEL_CHANGES(int, malloc_trim, (size_t kept), (kept))  // pages read as zeros that nobody wrote to

RAVEL_CHANGES(int, setrlimit, (__rlimit_resource_t resource, const rlimit* limit), (resource, limit))
RAVEL_CHANGES(int, setrlimit64, (__rlimit_resource_t resource, const rlimit64* limit), (resource, limit))
RAVEL_CHANGES(int, prlimit, (pid_t process, __rlimit_resource resource, const rlimit* limit, rlimit* before),
              (process, resource, limit, before))
RAVEL_CHANGES(int, prlimit64, (pid_t process, __rlimit_resource resource, const rlimit64* limit, rlimit64* before),
              (process, resource, limit, before))

RAVEL_CHANGES(int, setuid, (uid_t user), (user))
RAVEL_CHANGES(int, seteuid, (uid_t user), (user))
RAVEL_CHANGES(int, setreuid, (uid_t user, uid_t effective), (user, effective))
RAVEL_CHANGES(int, setresuid, (uid_t user, uid_t effective, uid_t saved), (user, effective, saved))
RAVEL_CHANGES(int, setgid, (gid_t group), (group))
RAVEL_CHANGES(int, setegid, (gid_t group), (group))
RAVEL_CHANGES(int, setregid, (gid_t group, gid_t effective), (group, effective))
RAVEL_CHANGES(int, setresgid, (gid_t group, gid_t effective, gid_t saved), (group, effective, saved))
RAVEL_CHANGES(int, setgroups, (size_t count, const gid_t* groups), (count, groups))
RAVEL_CHANGES(int, setpgid, (pid_t process, pid_t group), (process, group))
RAVEL_CHANGES(pid_t, setsid, (), ())
RAVEL_CHANGES(int, unshare, (int flags), (flags))

// The end of a process undoes some.
RAVEL_CHANGES(int, semop, (int set, sembuf* operations, size_t count), (set, operations, count))
RAVEL_CHANGES(int, semtimedop, (int set, sembuf* operations, size_t count, const timespec* timeout),
              (set, operations, count, timeout))
