// SPDX-License-Identifier: Apache-2.0
#include "runtime/files/namespaces.h"

#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>

#include <cerrno>

#include "runtime/files/raw_files.h"

namespace ravel {
namespace {

// Set in the process that entered a user namespace, and so in what it forks.
struct OwnUserNamespace {
  bool entered = false;
  unsigned user = 0;  // all that is known in it
  unsigned group = 0;
  int rights = 0;  // objects of MountRight
};
constinit OwnUserNamespace g_own_user_namespace;

struct Capabilities {
  __user_cap_header_struct head{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};

  Capabilities() { raw_syscall(SYS_capget, raw_of(&head), raw_of(data)); }
  void set() { raw_syscall(SYS_capset, raw_of(&head), raw_of(data)); }
};

bool may_mount() { return (Capabilities().data[0].effective >> CAP_SYS_ADMIN & 1) != 0; }

bool write_text(const char* path, const char* text) {
  const int file = raw_open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const std::size_t size = strlen(text);
  const bool written = raw_write(file, text, size) == static_cast<long>(size);
  raw_close(file);
  return written;
}

bool map_to_itself(const char* path, long id) {
  char text[64];
  snprintf(text, sizeof text, "%ld %ld 1", id, id);
  return write_text(path, text);
}

void put_rights_out_of_effect() {
  Capabilities own;
  for (__user_cap_data_struct& part : own.data) part.effective = 0;
  own.set();
}

}  // namespace

int enter_user_namespace() {
  if (g_own_user_namespace.entered || may_mount()) return 0;
  const long user = raw_syscall(SYS_geteuid);
  const long group = raw_syscall(SYS_getegid);
  if (const long error = raw_syscall(SYS_unshare, CLONE_NEWUSER); error < 0) return static_cast<int>(-error);
  g_own_user_namespace = {true, static_cast<unsigned>(user), static_cast<unsigned>(group), 0};
  write_text("/proc/self/setgroups", "deny");  // the condition for mapping groups
  const bool mapped = map_to_itself("/proc/self/uid_map", user) && map_to_itself("/proc/self/gid_map", group);
  put_rights_out_of_effect();
  return mapped ? 0 : EPERM;
}

int enter_mount_namespace() {
  const MountRight right;
  if (const long error = raw_syscall(SYS_unshare, CLONE_NEWNS); error < 0) return static_cast<int>(-error);
  const long error = raw_syscall(SYS_mount, raw_of("none"), raw_of("/"), 0, MS_REC | MS_PRIVATE, 0);
  return static_cast<int>(-error);
}

bool in_own_user_namespace() { return g_own_user_namespace.entered; }

bool can_own(unsigned user, unsigned group) {
  if (!g_own_user_namespace.entered) return true;
  constexpr unsigned kUnknown = 65534;  // what the kernel says of everybody else; also an account of many systems
  return user == g_own_user_namespace.user && group == g_own_user_namespace.group && user != kUnknown &&
         group != kUnknown;
}

MountRight::MountRight() {
  if (!g_own_user_namespace.entered || g_own_user_namespace.rights++ > 0) return;
  Capabilities own;
  for (__user_cap_data_struct& part : own.data) part.effective = part.permitted;
  own.set();
}

MountRight::~MountRight() {
  if (g_own_user_namespace.entered && --g_own_user_namespace.rights == 0) put_rights_out_of_effect();
}

}  // namespace ravel
