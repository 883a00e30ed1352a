// SPDX-License-Identifier: Apache-2.0
// FileBackup: puts back what a target has changed on disk, where it could have no private view of it.
// trace/file_backup.h describes the directory that they share.
//
// Who calls it: Target, after each execution and after the end of the process. Thread safety: one thread owns it.
// Invariant: destroying it removes the directory; what was not undone by then stays changed.
#pragma once

#include <filesystem>

#include "trace/file_backup.h"

namespace ravel {

class FileBackup {
 public:
  FileBackup();  // a name that nobody else uses; nothing is made yet
  explicit FileBackup(std::filesystem::path directory) : directory_(std::move(directory)) {}
  ~FileBackup();
  FileBackup(const FileBackup&) = delete;
  FileBackup& operator=(const FileBackup&) = delete;

  const std::filesystem::path& directory() const { return directory_; }

  // Undoes the entries of this phase, and with BackupPhase::start those of all. False: something could not be put back.
  bool undo(BackupPhase phase);

 private:
  std::filesystem::path directory_;
};

}  // namespace ravel
