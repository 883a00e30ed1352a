// SPDX-License-Identifier: Apache-2.0
// FileCopies: where a process can have no private view of the disk, what it is about to change is copied first, and the
// driver puts it back afterwards (trace/file_backup.h).
//
// Who calls it: runtime/interpose/file_changes.cpp; the fork server. Thread safety: none; only the running task calls
// it. Every function that announces a change returns 0, or the errno that kept it from copying.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/files/paths.h"
#include "trace/file_backup.h"

namespace ravel {

class FileCopies {
 public:
  // `directory`: where copies go. It need not be there, and must live as long as this object.
  void start(const char* directory) { backup_ = directory; }
  // In the fork server, at the fork point: what the program copied before its first task, executions must copy again.
  void begin_executions();

  // As PrivateView has them.
  int name_changes(int directory, const char* path);
  int file_changes(int directory, const char* path);
  // A name that was not there has come.
  int name_made(int directory, const char* path);
  int file_changes(int descriptor);

 private:
  std::size_t find_name(int directory, const char* path);
  int open_journal();
  int note(const BackupEntry& entry, const char* path);
  int keep(const char* path);
  int keep_tree(const char* path, std::size_t length);
  int copy(const char* path, const struct stat& info, BackupEntry& entry);
  bool is_new(const char* path);

  static constexpr std::size_t kKnown = 1U << 14;
  const char* backup_ = nullptr;
  BackupPhase phase_ = BackupPhase::start;
  std::uint32_t copies_ = 0;
  int journal_ = 0;                   // 0: not open yet
  std::uint64_t known_[kKnown] = {};  // hashes of paths that were kept already; 0: free
  std::size_t known_count_ = 0;
  char path_[kPathBytes] = {};
};

FileCopies& file_copies();

}  // namespace ravel
