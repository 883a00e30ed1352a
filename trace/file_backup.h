// SPDX-License-Identifier: Apache-2.0
// The backup directory: how a target tells the driver which files to put back, where it can have no private view of the
// disk. The target makes the directory (Launch::backup_directory) when it first changes a file. Before each change it
// appends a BackupEntry and the path to the file "journal" there, after it has copied what was there before to a file
// of the entry's number, with its attributes. The driver undoes the journal from its end.
//
// docs/formats/channel.md has the protocol. Both sides are of one build: nothing here is kept.
#pragma once

#include <cstdint>

namespace ravel {

inline constexpr const char* kBackupJournal = "journal";
inline constexpr const char* kBackupName = ".same";  // after the number

enum class BackupPhase : std::uint32_t {
  start,      // the program before its first task: put back when the target has ended
  execution,  // put back after the execution
};

enum class BackupKind : std::uint32_t {
  absent,  // there was nothing: whatever is there now is removed
  file,    // the copy is a file; a second name of the file itself, if the disk is the same, is beside it (kBackupName)
  link,    // the copy is a symbolic link
  directory,  // the copy is an empty directory; its entries have entries of their own if they could change, too
};

struct BackupEntry {
  BackupPhase phase = BackupPhase::start;
  BackupKind kind = BackupKind::absent;
  std::uint32_t number = 0;
  std::uint32_t path_bytes = 0;  // an absolute path follows, not terminated
};

}  // namespace ravel
