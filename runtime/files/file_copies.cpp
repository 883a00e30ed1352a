// SPDX-License-Identifier: Apache-2.0
#include "runtime/files/file_copies.h"

#include <dirent.h>
#include <stdio.h>

#include <cerrno>

#include "runtime/files/copying.h"

namespace ravel {
namespace {

constinit FileCopies g_copies;

constexpr int kJournalDescriptor = 702;  // beside the driver's own

std::uint64_t hash_of(const char* text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (; *text != '\0'; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001b3ULL;
  return hash | 1;
}

}  // namespace

FileCopies& file_copies() { return g_copies; }

void FileCopies::begin_executions() {
  phase_ = BackupPhase::execution;
  if (known_count_ == 0) return;
  for (std::uint64_t& hash : known_) hash = 0;
  known_count_ = 0;
}

bool FileCopies::is_new(const char* path) {
  if (known_count_ > kKnown / 2) return true;  // kept again: only slower
  const std::uint64_t hash = hash_of(path);
  std::size_t at = hash % kKnown;
  for (; known_[at] != 0; at = (at + 1) % kKnown) {
    if (known_[at] == hash) return false;
  }
  known_[at] = hash;
  ++known_count_;
  return true;
}

// The name itself, without links on the way to it, in path_: its length. 0: the call will fail, too.
std::size_t FileCopies::find_name(int directory, const char* path) {
  static constinit char parent[kPathBytes] = {};
  if (path == nullptr || path[0] == '\0' || !directory_part(path, parent)) return 0;
  std::size_t length = real_name(directory, parent, path_);
  const char* const name = path + last_part(path);
  if (length == 0 || length + strlen(name) + 2 > sizeof path_) return 0;
  if (path_[length - 1] != '/') path_[length++] = '/';
  memcpy(path_ + length, name, strlen(name) + 1);
  for (length = strlen(path_); length > 1 && path_[length - 1] == '/';) path_[--length] = '\0';
  return length;
}

int FileCopies::name_changes(int directory, const char* path) {
  const std::size_t length = find_name(directory, path);
  return length == 0 ? 0 : keep_tree(path_, length);
}

int FileCopies::name_made(int directory, const char* path) {
  const std::size_t length = find_name(directory, path);
  if (length == 0 || !is_new(path_)) return 0;
  return note({phase_, BackupKind::absent, 0, static_cast<std::uint32_t>(length)}, path_);
}

int FileCopies::file_changes(int directory, const char* path) {
  if (path == nullptr || path[0] == '\0') return 0;
  if (real_name(directory, path, path_) == 0) return name_changes(directory, path);
  return keep(path_);
}

int FileCopies::file_changes(int descriptor) {
  struct stat info {};
  struct stat named {};
  if (raw_stat(descriptor, info) != 0 || name_of_descriptor(descriptor, path_) == 0) return 0;
  const bool has_name = raw_stat_at(AT_FDCWD, path_, named) == 0 && named.st_ino == info.st_ino;
  return has_name ? keep(path_) : 0;
}

// A directory that goes elsewhere takes along what is in it.
int FileCopies::keep_tree(const char* path, std::size_t length) {
  if (const int error = keep(path); error != 0) return error;
  const int list = raw_open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (list < 0) return 0;
  int error = 0;
  alignas(dirent64) char entries[2048];
  for (;;) {
    const long size = raw_syscall(SYS_getdents64, list, raw_of(entries), sizeof entries);
    if (size <= 0 || error != 0) break;
    for (long at = 0; at < size && error == 0;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      at += entry->d_reclen;
      if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
      const std::size_t name = strlen(entry->d_name);
      if (length + name + 2 > sizeof path_) return ENAMETOOLONG;
      path_[length] = '/';
      memcpy(path_ + length + 1, entry->d_name, name + 1);
      error = keep_tree(path_, length + 1 + name);
      path_[length] = '\0';
    }
  }
  raw_close(list);
  return error;
}

int FileCopies::copy(const char* path, const struct stat& info, BackupEntry& entry) {
  char copy[128];
  snprintf(copy, sizeof copy, "%s/%u", backup_, entry.number);
  int error = 0;
  if (S_ISDIR(info.st_mode)) {
    entry.kind = BackupKind::directory;
    error = raw_error(raw_syscall(SYS_mkdir, raw_of(copy), 0700));
  } else if (S_ISLNK(info.st_mode)) {
    entry.kind = BackupKind::link;
    error = copy_link(AT_FDCWD, path, AT_FDCWD, copy);
  } else {
    entry.kind = BackupKind::file;
    error = copy_file(AT_FDCWD, path, AT_FDCWD, copy);
    char same[sizeof copy + 8];
    snprintf(same, sizeof same, "%s%s", copy, kBackupName);
    raw_syscall(SYS_linkat, AT_FDCWD, raw_of(path), AT_FDCWD, raw_of(same), 0);
  }
  if (error == 0) copy_attributes(info, AT_FDCWD, copy);
  return error;
}

int FileCopies::keep(const char* path) {
  struct stat info {};
  const bool absent = raw_stat_at(AT_FDCWD, path, info, AT_SYMLINK_NOFOLLOW) != 0;
  if (!absent && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode) && !S_ISLNK(info.st_mode)) return 0;
  if (!is_new(path)) return 0;
  if (const int error = open_journal(); error != 0) return error;
  BackupEntry entry{phase_, BackupKind::absent, 0, static_cast<std::uint32_t>(strlen(path))};
  if (!absent) {
    entry.number = ++copies_;
    if (const int error = copy(path, info, entry); error != 0) return error;
  }
  return note(entry, path);
}

// Before anything is copied: the journal is in the directory where copies go.
int FileCopies::open_journal() {
  if (journal_ > 0) return 0;
  raw_syscall(SYS_mkdir, raw_of(backup_), 0700);
  char journal[128];
  snprintf(journal, sizeof journal, "%s/%s", backup_, kBackupJournal);
  const int opened = raw_open(journal, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (opened < 0) return -opened;
  const long kept = raw_fcntl(opened, F_DUPFD_CLOEXEC, kJournalDescriptor);
  raw_close(opened);
  if (kept > 0) journal_ = static_cast<int>(kept);
  return raw_error(kept);
}

int FileCopies::note(const BackupEntry& entry, const char* path) {
  if (const int error = open_journal(); error != 0) return error;
  static constinit char line[sizeof(BackupEntry) + kPathBytes] = {};
  memcpy(line, &entry, sizeof entry);
  memcpy(line + sizeof entry, path, entry.path_bytes);
  const std::size_t size = sizeof entry + entry.path_bytes;
  return raw_write(journal_, line, size) == static_cast<long>(size) ? 0 : EIO;
}

}  // namespace ravel
