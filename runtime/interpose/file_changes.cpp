// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/file_changes.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include <cerrno>
#include <cstddef>

#include "runtime/files/file_copies.h"
#include "runtime/files/moving.h"
#include "runtime/files/private_view.h"
#include "trace/channel.h"

namespace ravel {
namespace {

struct Files {
  Channel* channel = nullptr;
  FileView view = FileView::shared;
  // A signal handler may change files as well, in the middle of all this. That change is then not kept apart.
  bool busy = false;
};
constinit Files g_files;

void tell(FileChanges how, int trouble) {
  Launch& launch = g_files.channel->launch;
  if (launch.file_changes < how) launch.file_changes = how;
  if (launch.file_trouble == 0) launch.file_trouble = trouble;
}

// Both arguments announce the same change: to the private view, and to the copies if there can be no view.
template <typename ToView, typename ToCopies>
void announce(ToView to_view, ToCopies to_copies) {
  if (g_files.busy) return;
  g_files.busy = true;
  const int saved_errno = errno;
  cannot_be_put_back();
  const Change change = g_files.view == FileView::copied ? Change::real : to_view(private_view());
  if (change == Change::apart) tell(FileChanges::apart, 0);
  if (change == Change::real) {
    const int error = to_copies(file_copies());
    tell(error == 0 ? FileChanges::copied : FileChanges::left, error != 0 ? error : private_view().trouble());
  }
  errno = saved_errno;
  g_files.busy = false;
}

using SocketPath = char[sizeof(sockaddr_un) + 1];

// The path of an AF_UNIX address, terminated, which it need not be there. False: it has none.
bool read_path(const sockaddr* address, unsigned length, SocketPath& path) {
  if (address == nullptr || length <= offsetof(sockaddr_un, sun_path) || address->sa_family != AF_UNIX) return false;
  const std::size_t size = length - offsetof(sockaddr_un, sun_path);
  memset(path, 0, sizeof path);
  memcpy(path, reinterpret_cast<const sockaddr_un*>(address)->sun_path, size < sizeof path ? size : sizeof path - 1);
  return path[0] != '\0';  // one that begins with a zero is not a path
}

bool on_threads() { return g_files.channel->launch.options.carrier == CarrierKind::thread; }

}  // namespace

void start_files(Channel& channel) {
  g_files.channel = &channel;
  g_files.view = channel.launch.options.files;
  internal::g_files_matter = g_files.view != FileView::shared;
  file_copies().start(channel.launch.backup_directory);
}

void prepare_files_for_tasks(bool single) {
  if (!single) file_copies().begin_executions();
  if (g_files.view != FileView::apart) return;
  private_view().prepare_to_enter();
  if (single && on_threads()) private_view().enter();
  if (!single) private_view().seal();
}

bool executions_have_files(const OpenFiles& files) {
  return private_view().entered() || files.any_own() || (g_files.view == FileView::apart && on_threads());
}

void files_after_fork(const OpenFiles& files) {
  if (g_files.view != FileView::apart) return;
  private_view().after_fork();
  // A thread does not see the namespace that another one enters.
  if (on_threads()) private_view().enter();
  files.for_each_own([](int descriptor) { private_view().file_changes(descriptor); });
}

void begin_files(OpenFiles& files) {
  if (g_files.view != FileView::shared) {
    if (g_files.view == FileView::copied || private_view().trouble() != 0) files.open_by_names();
    files.for_each_own([](int descriptor) { internal::announce_file(descriptor); });
  }
  files.take_locks();
}

namespace internal {

constinit bool g_files_matter = false;

void announce_name(int directory, const char* path) {
  announce([&](PrivateView& view) { return view.name_changes(directory, path); },
           [&](FileCopies& copies) { return copies.name_changes(directory, path); });
}

void announce_made(const char* path) {
  announce([&](PrivateView& view) { return view.name_changes(AT_FDCWD, path); },
           [&](FileCopies& copies) { return copies.name_made(AT_FDCWD, path); });
}

void announce_file(int directory, const char* path) {
  announce([&](PrivateView& view) { return view.file_changes(directory, path); },
           [&](FileCopies& copies) { return copies.file_changes(directory, path); });
}

void announce_file(int descriptor) {
  announce([&](PrivateView& view) { return view.file_changes(descriptor); },
           [&](FileCopies& copies) { return copies.file_changes(descriptor); });
}

// Where it starts, and where temporary files go: most of what a command changes.
void announce_processes() {
  announce_file(AT_FDCWD, ".");
  const char* const temporary = getenv("TMPDIR");
  announce_file(AT_FDCWD, temporary != nullptr ? temporary : "/tmp");
}

}  // namespace internal

void file_will_open(int directory, const char* path, int flags) {
  const bool changes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
  if (changes && (flags & O_PATH) == 0) file_will_change(directory, path);
}

void file_will_open(const char* path, const char* mode) {
  if (mode != nullptr && (mode[0] != 'r' || strchr(mode, '+') != nullptr)) file_will_change(AT_FDCWD, path);
}

int rename_after_all(int from_directory, const char* from, int to_directory, const char* to, int result) {
  if (result == 0 || errno != EXDEV || !files_matter()) return result;
  if (!private_view().on_one_disk(from_directory, from, to_directory, to)) return result;
  const int error = move_by_copying(from_directory, from, to_directory, to);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

void system_call_may_change_files(long number, const long (&a)[6]) {
  if (!files_matter()) return;
  const auto directory = [&a](int i) { return static_cast<int>(a[i]); };
  const auto path = [&a](int i) { return reinterpret_cast<const char*>(a[i]); };
  switch (number) {
    case SYS_open:
      return file_will_open(AT_FDCWD, path(0), static_cast<int>(a[1]));
    case SYS_openat:
      return file_will_open(directory(0), path(1), static_cast<int>(a[2]));
    case SYS_openat2:
      return file_will_open(directory(0), path(1), static_cast<int>(*reinterpret_cast<const std::uint64_t*>(a[2])));
    case SYS_creat:
    case SYS_truncate:
    case SYS_chmod:
    case SYS_chown:
    case SYS_utime:
    case SYS_utimes:
    case SYS_setxattr:
    case SYS_removexattr:
      return file_will_change(AT_FDCWD, path(0));
    case SYS_fchmodat:
    case SYS_fchownat:
    case SYS_futimesat:
    case SYS_utimensat:
      return file_will_change(directory(0), path(1));
    case SYS_fchmod:
    case SYS_fchown:
    case SYS_fsetxattr:
    case SYS_fremovexattr:
    case SYS_flock:
      return file_will_change(directory(0));
    case SYS_unlink:
    case SYS_rmdir:
    case SYS_mkdir:
    case SYS_mknod:
    case SYS_lchown:
    case SYS_lsetxattr:
    case SYS_lremovexattr:
      return name_will_change(AT_FDCWD, path(0));
    case SYS_unlinkat:
    case SYS_mkdirat:
    case SYS_mknodat:
      return name_will_change(directory(0), path(1));
    case SYS_symlink:
      return name_will_change(AT_FDCWD, path(1));
    case SYS_symlinkat:
      return name_will_change(directory(1), path(2));
    case SYS_rename:
    case SYS_link:
      name_will_change(AT_FDCWD, path(0));
      return name_will_change(AT_FDCWD, path(1));
    case SYS_renameat:
    case SYS_renameat2:
    case SYS_linkat:
      name_will_change(directory(0), path(1));
      return name_will_change(directory(2), path(3));
    default:
      return;
  }
}

void address_will_be_bound(const sockaddr* address, unsigned length) {
  if (!files_matter()) return;
  SocketPath path;
  if (read_path(address, length, path)) name_will_change(AT_FDCWD, path);
}

bool address_on_disk(const sockaddr* address, unsigned length, sockaddr_un& on_disk) {
  if (!files_matter()) return false;
  SocketPath path;
  if (!read_path(address, length, path)) return false;
  const int saved_errno = errno;
  on_disk.sun_family = AF_UNIX;
  const bool found = private_view().name_on_disk(path, on_disk.sun_path, sizeof on_disk.sun_path) > 0;
  errno = saved_errno;
  return found;
}

}  // namespace ravel
