// SPDX-License-Identifier: Apache-2.0
#include "runtime/files/copying.h"

#include "runtime/files/paths.h"
#include "runtime/files/raw_files.h"

namespace ravel {

int copy_file(int from_directory, const char* from, int to_directory, const char* to) {
  const int source = raw_open_at(from_directory, from, O_RDONLY | O_CLOEXEC);
  if (source < 0) return -source;
  const int target = raw_open_at(to_directory, to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  int error = target < 0 ? -target : 0;
  for (long size = 1; error == 0 && size > 0;) {
    size = raw_syscall(SYS_sendfile, target, source, 0, 1L << 30);
    error = raw_error(size);
  }
  raw_close(source);
  if (target >= 0) raw_close(target);
  return error;
}

int copy_link(int from_directory, const char* from, int to_directory, const char* to) {
  static constinit char leads_to[kPathBytes] = {};
  const long size = raw_syscall(SYS_readlinkat, from_directory, raw_of(from), raw_of(leads_to), sizeof leads_to - 1);
  if (size < 0) return raw_error(size);
  leads_to[size] = '\0';
  return raw_error(raw_syscall(SYS_symlinkat, raw_of(leads_to), to_directory, raw_of(to)));
}

void copy_attributes(const struct stat& info, int directory, const char* path) {
  raw_syscall(SYS_fchownat, directory, raw_of(path), info.st_uid, info.st_gid, AT_SYMLINK_NOFOLLOW);
  if (!S_ISLNK(info.st_mode)) raw_syscall(SYS_fchmodat, directory, raw_of(path), info.st_mode & 07777);
  const timespec times[2] = {info.st_atim, info.st_mtim};
  raw_syscall(SYS_utimensat, directory, raw_of(path), raw_of(times), AT_SYMLINK_NOFOLLOW);
}

}  // namespace ravel
