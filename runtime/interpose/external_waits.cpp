// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/external_waits.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "runtime/files/raw_files.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/signal_operations.h"
#include "runtime/interpose/timer_operations.h"

namespace ravel {
namespace {

constinit IntrusiveList<ExternalWait, &ExternalWait::links> g_external_waits;

bool external_is_ready(const void* object, const Task& task) {
  return is_ready(*static_cast<const ExternalWait*>(object)) || wait_interrupted(task);
}

bool is_internal(int descriptor);

// Does nothing outside make a descriptor of the epoll set ready? The kernel lists them; a long list is not looked
// through.
bool is_internal_set(int descriptor) {
  char path[64];
  char text[8192];
  snprintf(path, sizeof path, "/proc/self/fdinfo/%d", descriptor);
  if (raw_read_text(path, text, sizeof text) + 1 == sizeof text) return false;
  for (const char* line = strstr(text, "tfd:"); line != nullptr; line = strstr(line + 1, "tfd:")) {
    const int member = static_cast<int>(strtol(line + 4, nullptr, 10));
    if (member != descriptor && !is_internal(member)) return false;
  }
  return true;
}

// Could anything outside this process make the descriptor ready? Not if it is a pipe or an unnamed socket of our own
// (the other end is here too, unless a child has it), a timer, or a set of such.
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
  const std::string_view name = link;
  if (name == "anon_inode:[eventpoll]") return is_internal_set(descriptor);
  return name == "anon_inode:[eventfd]" || is_virtual_timer(descriptor);
}

bool outside_may_end(const ExternalWait& wait) {
  if (wait.for_signals != nullptr) return outside_may_signal(wait);
  for (nfds_t i = 0; i < wait.count; ++i) {
    if (wait.descriptors[i].fd >= 0 && !is_internal(wait.descriptors[i].fd)) return true;
  }
  return false;
}

// True when everybody waits for something that only the tasks themselves could bring about.
bool nobody_outside() {
  if (has_children()) return false;
  for (const ExternalWait* wait = g_external_waits.first(); wait != nullptr; wait = g_external_waits.next(*wait)) {
    if (outside_may_end(*wait)) return false;
  }
  return true;
}

bool only_signals_awaited() {
  for (const ExternalWait* wait = g_external_waits.first(); wait != nullptr; wait = g_external_waits.next(*wait)) {
    if (wait->for_signals == nullptr) return false;
  }
  return true;
}

// Nobody waits for anything outside, but a child may share memory with the tasks. It gets a moment; false when none is
// alive.
bool wait_for_children() {
  siginfo_t information = {};
  if (real().waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) != 0 || information.si_pid != 0) return false;
  constexpr int kMoment = 1;  // milliseconds
  real().poll(nullptr, 0, kMoment);
  return true;
}

// The only task of the process waits as it would without us. Becoming the fork server here would take the program's
// children from it.
Turn wait_natively(ExternalWait& wait, std::uint64_t deadline) {
  const int saved_errno = errno;
  if (wait.for_child) {
    siginfo_t information = {};
    real().waitid(wait.child_kind, wait.child, &information, wait.child_options | WNOWAIT);
    errno = saved_errno;
    return Turn::go;
  }
  constexpr std::uint64_t kNanosecondsPerMillisecond = 1'000'000;
  constexpr std::uint64_t kFar = 0x7fffffff;
  int milliseconds = -1;
  if (deadline != kNever) {
    const std::uint64_t now = scheduler().now();
    const std::uint64_t left = deadline <= now ? 0 : (deadline - now - 1) / kNanosecondsPerMillisecond + 1;
    milliseconds = static_cast<int>(left < kFar ? left : kFar);
  }
  const int ready = real().poll(wait.descriptors, wait.count, milliseconds);
  errno = saved_errno;
  if (ready != 0) return Turn::go;
  scheduler().pass_time(deadline);
  return Turn::timed_out;
}

}  // namespace

bool has_children() {
  siginfo_t information = {};
  return real().waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) == 0;
}

bool is_ready(const ExternalWait& wait) {
  const SignalsHeldBack held_back;
  const int saved_errno = errno;
  bool ready = false;
  if (wait.for_signals != nullptr) {
    ready = signals_have_come(wait);
  } else if (wait.for_child) {
    siginfo_t information = {};
    const int options = wait.child_options | WNOHANG | WNOWAIT;
    ready = real().waitid(wait.child_kind, wait.child, &information, options) != 0 || information.si_pid != 0;
  } else if (wait.count > 0) {
    ready = real().poll(wait.descriptors, wait.count, 0) != 0;
  }
  errno = saved_errno;
  return ready;
}

Turn reach_external(const Operation& operation, ExternalWait& wait, std::uint64_t deadline, bool brief) {
  if (!scheduler().controlled() && (deadline != kNever || outside_may_end(wait) || has_children())) {
    return wait_natively(wait, deadline);
  }
  g_external_waits.push_front(wait);
  const Turn turn =
      reach_point(operation, Wait{kExternalKey, &external_is_ready, &wait, deadline, true, nullptr, brief});
  g_external_waits.remove(wait);
  return turn;
}

bool outside_may_act() { return !g_external_waits.empty() && !nobody_outside(); }

void external_changed() { scheduler().changed(kExternalKey); }

bool wait_for_external(int milliseconds) {
  const SignalsHeldBack held_back;
  if (hand_out_signals()) return true;
  if (g_external_waits.empty()) return milliseconds < 0 && wait_for_children();
  if (milliseconds != 0 && nobody_outside()) milliseconds = 0;
  // A signal hardly comes just now, and time is not to wait for it.
  if (milliseconds > 0 && only_signals_awaited()) milliseconds = 0;
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
  bool signalled = false;
  for (int waited = 0; !ready && !signalled; waited += kSlice) {
    for (const ExternalWait* wait = g_external_waits.first(); wait != nullptr && !ready;
         wait = g_external_waits.next(*wait)) {
      ready = is_ready(*wait);
    }
    if (ready || (milliseconds >= 0 && waited >= milliseconds)) break;
    real().poll(all, count, kSlice);
    signalled = hand_out_signals();
    if (milliseconds < 0) waited = 0;
  }
  errno = saved_errno;
  if (ready) external_changed();
  return ready || signalled;
}

}  // namespace ravel
