// SPDX-License-Identifier: Apache-2.0
#include "driver/target/schedule_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "trace/schedule_writer.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "run-";

Status cannot_make(const std::string& path, const std::string& why) {
  return Status::trouble(fmt::format("cannot make the directory {} for schedules: {}", path, why),
                         "choose another one: --out DIR");
}

// The highest number of a command's directory.
unsigned last_number(const fs::path& out) {
  unsigned last = 0;
  std::error_code error;
  for (fs::directory_iterator entry(out, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(kPrefix)) continue;
    unsigned number = 0;
    const char* const last_letter = name.data() + name.size();
    const auto [rest, problem] = std::from_chars(name.data() + kPrefix.size(), last_letter, number);
    if (problem == std::errc() && rest == last_letter) last = std::max(last, number);
  }
  return last;
}

// Points the link at its target, in one step even if it points elsewhere. False where a file has its name.
bool link(const std::string& target, const fs::path& name) {
  std::error_code error;
  const fs::file_status there = fs::symlink_status(name, error);
  if (fs::exists(there) && !fs::is_symlink(there)) return false;
  const std::string temporary = fmt::format("{}.tmp-{}", name.string(), ::getpid());
  if (::symlink(target.c_str(), temporary.c_str()) != 0) return false;
  if (std::rename(temporary.c_str(), name.c_str()) == 0) return true;
  ::unlink(temporary.c_str());
  return false;
}

}  // namespace

Status ScheduleFiles::make_ready() {
  std::error_code error;
  fs::create_directories(out_, error);
  if (error) return cannot_make(out_, error.message());
  if (!fs::is_directory(out_)) return cannot_make(out_, "it is a file");
  if (::access(out_.c_str(), W_OK | X_OK) != 0) return cannot_make(out_, std::strerror(errno));
  return Status::ok();
}

Status ScheduleFiles::make_directory_locked() {
  if (!directory_.empty()) return Status::ok();
  if (Status status = make_ready(); !status.is_ok()) return status;
  // Another command may take the number at the same moment.
  for (unsigned number = last_number(out_) + 1;; ++number) {
    const std::string name = fmt::format("{}{}", kPrefix, number);
    const fs::path path = fs::path(out_) / name;
    if (::mkdir(path.c_str(), 0777) == 0) {
      directory_ = name;
      link(name, fs::path(out_) / "latest");
      return Status::ok();
    }
    if (errno != EEXIST) return cannot_make(path.string(), std::strerror(errno));
  }
}

Result<std::string> ScheduleFiles::write(const Schedule& schedule, const std::string& name) {
  const MutexLock lock(mutex_);
  if (Status status = make_directory_locked(); !status.is_ok()) return status;
  const fs::path out = out_;
  const fs::path file = fs::path(directory_) / name;
  if (Status status = write_schedule(schedule, (out / file).string()); !status.is_ok()) return status;
  return (out / (link(file.string(), out / name) ? fs::path(name) : file)).string();
}

void ScheduleFiles::remove(const std::string& name) {
  const MutexLock lock(mutex_);
  const fs::path out = out_;
  const fs::path file = fs::path(directory_) / name;
  std::error_code error;
  fs::remove(out / file, error);
  // Unless another command has made the link its own.
  if (fs::read_symlink(out / name, error) == file) fs::remove(out / name, error);
}

}  // namespace ravel
