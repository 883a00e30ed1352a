// SPDX-License-Identifier: Apache-2.0
#include "runtime/files/mount_table.h"

#include "runtime/files/words.h"

namespace ravel {
namespace {

// Space, tab, newline and backslash are written as \ooo there.
char take_character(std::string_view& escaped) {
  const char c = escaped.front();
  escaped.remove_prefix(1);
  if (c != '\\' || escaped.size() < 3) return c;
  int code = 0;
  for (int i = 0; i < 3; ++i, escaped.remove_prefix(1)) code = code * 8 + (escaped.front() - '0');
  return static_cast<char>(code);
}

// How many characters of `path` are the mount point; npos: it is not above the path and not the path.
std::size_t length_above(std::string_view mount_point, std::string_view path) {
  if (mount_point == "/") return 0;
  std::size_t length = 0;
  for (; !mount_point.empty(); ++length) {
    if (length == path.size() || take_character(mount_point) != path[length]) return std::string_view::npos;
  }
  return length == path.size() || path[length] == '/' ? length : std::string_view::npos;
}

// Is the mount point below the first `length` characters of the path?
bool is_beneath(std::string_view mount_point, std::string_view path, std::size_t length) {
  for (std::size_t i = 0; i < length; ++i) {
    if (mount_point.empty() || take_character(mount_point) != path[i]) return false;
  }
  return !mount_point.empty() && mount_point.front() == '/';
}

struct Mount {
  std::string_view point;
  std::string_view options;
  std::string_view type;
  bool own = false;
};

// "36 35 98:0 /root /mount/point rw,noatime master:1 - ext4 /dev/sda1 rw"
Mount read_mount(std::string_view line) {
  Mount mount;
  for (int i = 0; i < 4; ++i) take_word(line);
  mount.point = take_word(line);
  mount.options = take_word(line);
  while (!line.empty() && take_word(line) != "-") {
  }
  mount.type = take_word(line);
  mount.own = take_word(line) == kOwnMount;
  return mount;
}

bool is_read_only(const Mount& mount) { return mount.options == "ro" || mount.options.starts_with("ro,"); }

// The system itself seen as files.
bool is_of_the_system(std::string_view type) {
  constexpr std::string_view kTypes[] = {"proc",     "sysfs",     "devtmpfs", "devpts",     "cgroup",
                                         "cgroup2",  "debugfs",   "tracefs",  "securityfs", "configfs",
                                         "fusectl",  "bpf",       "pstore",   "mqueue",     "binfmt_misc",
                                         "efivarfs", "selinuxfs", "autofs",   "hugetlbfs"};
  for (const std::string_view known : kTypes) {
    if (type == known) return true;
  }
  return false;
}

}  // namespace

Cover cover_for(std::string_view mountinfo, std::string_view directory) {
  Mount holder;
  std::size_t held = 0;
  for (std::string_view rest = mountinfo; !rest.empty();) {
    const Mount mount = read_mount(take_line(rest));
    const std::size_t length = length_above(mount.point, directory);
    if (mount.own) continue;
    if (length == std::string_view::npos || length < held) continue;
    holder = mount;  // the last one of a point is on top
    held = length;
  }
  if (is_read_only(holder) || is_of_the_system(holder.type)) return {Coverable::needless, 0};
  for (std::size_t length = held; length <= directory.size(); ++length) {
    if (length == 0 || (length < directory.size() && directory[length] != '/')) continue;
    if (length == 1) continue;  // "/"
    bool hides = false;
    for (std::string_view rest = mountinfo; !rest.empty() && !hides;) {
      const Mount mount = read_mount(take_line(rest));
      hides = !mount.own && is_beneath(mount.point, directory, length);
    }
    if (!hides) return {Coverable::possible, length};
  }
  return {};
}

}  // namespace ravel
