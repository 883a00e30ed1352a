// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/external_waits.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/interpose/real_symbols.h"

namespace ravel {
namespace {

constinit IntrusiveList<ExternalWait, &ExternalWait::links> g_external_waits;

bool external_is_ready(const void* object, const Task& task) {
  return is_ready(*static_cast<const ExternalWait*>(object)) || wait_interrupted(task);
}

// Could somebody outside this process make the descriptor ready? Not a pipe or an unnamed socket of our own making:
// their other ends are here too, unless a child has them.
bool is_internal(int descriptor) {
  if (descriptor <= 2) return false;
  struct stat status = {};
  if (fstat(descriptor, &status) != 0) return false;
  if (S_ISFIFO(status.st_mode)) return true;
  if (S_ISSOCK(status.st_mode)) {
    sockaddr_un address = {};
    socklen_t length = sizeof address;
    return getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length) == 0 &&
           address.sun_family == AF_UNIX && length == sizeof address.sun_family;
  }
  char path[64];
  char link[64] = {};
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  if (readlink(path, link, sizeof link - 1) <= 0) return false;
  return __builtin_strcmp(link, "anon_inode:[eventfd]") == 0;
}

// True when somebody waits for something that only the tasks themselves could bring about.
bool nobody_outside() {
  if (has_children()) return false;
  for (const ExternalWait* wait = g_external_waits.first(); wait != nullptr; wait = g_external_waits.next(*wait)) {
    for (nfds_t i = 0; i < wait->count; ++i) {
      if (wait->descriptors[i].fd >= 0 && !is_internal(wait->descriptors[i].fd)) return false;
    }
  }
  return true;
}

}  // namespace

bool has_children() {
  siginfo_t information = {};
  return real().waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) == 0;
}

bool is_ready(const ExternalWait& wait) {
  const int saved_errno = errno;
  bool ready = false;
  if (wait.for_child) {
    siginfo_t information = {};
    const int options = wait.child_options | WNOHANG | WNOWAIT;
    ready = real().waitid(wait.child_kind, wait.child, &information, options) != 0 || information.si_pid != 0;
  } else if (wait.count > 0) {
    ready = real().poll(wait.descriptors, wait.count, 0) != 0;
  }
  errno = saved_errno;
  return ready;
}

Turn reach_external(const Operation& operation, ExternalWait& wait, std::uint64_t deadline) {
  g_external_waits.push_front(wait);
  // Before there is a second task the process just waits, as it would without us: becoming the fork server here would
  // take the program's children from it. A deadline is virtual time, which passes at once.
  if (!scheduler().controlled()) wait_for_external(deadline == kNever ? -1 : 20);
  const Turn turn = reach_point(operation, Wait{kExternalKey, &external_is_ready, &wait, deadline, true, nullptr});
  g_external_waits.remove(wait);
  return turn;
}

void external_changed() { scheduler().changed(kExternalKey); }

bool wait_for_external(int milliseconds) {
  if (g_external_waits.empty()) return false;
  if (milliseconds != 0 && nobody_outside()) milliseconds = 0;
  // One descriptor list for a real poll. Children and signals have no descriptor, so the wait comes back now and then.
  constexpr int kSlice = 5;
  constexpr nfds_t kCapacity = 512;
  pollfd all[kCapacity];
  nfds_t count = 0;
  for (const ExternalWait* wait = g_external_waits.first(); wait != nullptr; wait = g_external_waits.next(*wait)) {
    for (nfds_t i = 0; i < wait->count && count < kCapacity; ++i) all[count++] = wait->descriptors[i];
  }
  const int saved_errno = errno;
  bool ready = false;
  for (int waited = 0; !ready; waited += kSlice) {
    for (const ExternalWait* wait = g_external_waits.first(); wait != nullptr && !ready;
         wait = g_external_waits.next(*wait)) {
      ready = is_ready(*wait);
    }
    if (ready || (milliseconds >= 0 && waited >= milliseconds)) break;
    real().poll(all, count, kSlice);
    if (milliseconds < 0) waited = 0;
  }
  errno = saved_errno;
  if (ready) external_changed();
  return ready;
}

}  // namespace ravel
