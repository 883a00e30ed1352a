// SPDX-License-Identifier: Apache-2.0
#include "driver/target/file_backup.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace ravel {
namespace {

namespace fs = std::filesystem;

struct Kept {
  BackupEntry entry;
  fs::path path;
  std::size_t at = 0;  // in the journal
};

std::vector<Kept> read_journal(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<Kept> all;
  for (std::size_t at = 0; at + sizeof(BackupEntry) <= text.size();) {
    Kept kept;
    kept.at = at;
    std::memcpy(&kept.entry, text.data() + at, sizeof kept.entry);
    at += sizeof kept.entry;
    if (kept.entry.path_bytes > text.size() - at) break;  // the target died in the middle of it: nothing was changed
    kept.path = text.substr(at, kept.entry.path_bytes);
    at += kept.entry.path_bytes;
    all.push_back(std::move(kept));
  }
  return all;
}

void copy_attributes(const fs::path& from, const fs::path& to) {
  struct stat info {};
  if (::lstat(from.c_str(), &info) != 0) return;
  // Giving a file away takes rights that the user may not have; then the program had not changed that either.
  [[maybe_unused]] const int owner = ::lchown(to.c_str(), info.st_uid, info.st_gid);
  if (!S_ISLNK(info.st_mode)) ::chmod(to.c_str(), info.st_mode & 07777);
  const timespec times[2] = {info.st_atim, info.st_mtim};
  ::utimensat(AT_FDCWD, to.c_str(), times, AT_SYMLINK_NOFOLLOW);
}

// The file may have been removed or replaced, and the program still have it open.
void bring_back_itself(const fs::path& copy, const fs::path& path) {
  const fs::path same = copy.string() + kBackupName;
  std::error_code error;
  fs::rename(same, path, error);  // nothing happens if both are one file
  fs::remove(same, error);
}

bool put_back(const Kept& kept, const fs::path& copy) {
  std::error_code error;
  const fs::file_type now = fs::symlink_status(kept.path, error).type();
  const auto clear = [&] { fs::remove_all(kept.path, error); };
  if (kept.entry.kind != BackupKind::absent) fs::create_directories(kept.path.parent_path(), error);
  switch (kept.entry.kind) {
    case BackupKind::absent:
      clear();
      return !error;
    case BackupKind::file:
      if (now != fs::file_type::regular) clear();
      bring_back_itself(copy, kept.path);
      // In place, so that it stays the same file for others who have it open.
      if (!fs::copy_file(copy, kept.path, fs::copy_options::overwrite_existing, error)) {
        clear();
        fs::copy_file(copy, kept.path, error);
      }
      break;
    case BackupKind::link:
      clear();
      fs::copy_symlink(copy, kept.path, error);
      break;
    case BackupKind::directory:
      if (now == fs::file_type::directory) break;
      clear();
      fs::create_directory(kept.path, error);
      break;
  }
  if (!error) copy_attributes(copy, kept.path);
  return !error;
}

}  // namespace

FileBackup::FileBackup() {
  static std::atomic<unsigned> number{0};
  std::error_code error;
  directory_ = fs::temp_directory_path(error);
  if (error) directory_ = "/tmp";
  directory_ /= fmt::format("ravel-files-{}-{}", ::getpid(), ++number);
}

FileBackup::~FileBackup() {
  std::error_code error;
  fs::remove_all(directory_, error);
}

bool FileBackup::undo(BackupPhase phase) {
  const fs::path journal = directory_ / kBackupJournal;
  std::vector<Kept> all = read_journal(journal);
  bool complete = true;
  std::error_code error;
  while (!all.empty() && all.back().entry.phase >= phase) {
    const Kept& kept = all.back();
    const fs::path copy = directory_ / std::to_string(kept.entry.number);
    complete = put_back(kept, copy) && complete;
    if (kept.entry.kind != BackupKind::absent) fs::remove_all(copy, error);
    fs::resize_file(journal, kept.at, error);
    all.pop_back();
  }
  return complete;
}

}  // namespace ravel
