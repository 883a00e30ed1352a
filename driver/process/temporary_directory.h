// SPDX-License-Identifier: Apache-2.0
// TemporaryDirectory: a directory in the system's directory for temporary files. The object removes it, with everything
// in it, when it is destroyed. Thread safety: none needed; one owner.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "base/status.h"

namespace ravel {

class TemporaryDirectory {
 public:
  // `name` is the beginning of its name; the system completes it.
  static Result<TemporaryDirectory> make(const std::string& name) {
    std::error_code error;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
    std::string path = (parent / (name + "-XXXXXX")).string();
    if (!error && ::mkdtemp(path.data()) != nullptr) return TemporaryDirectory(path);
    return Status::trouble("cannot make a directory in " + (error ? std::string("TMPDIR") : parent.string()),
                           "set TMPDIR to a directory that you may write to, with room");
  }

  ~TemporaryDirectory() {
    std::error_code error;
    if (!path_.empty()) std::filesystem::remove_all(path_, error);
  }
  TemporaryDirectory(TemporaryDirectory&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryDirectory& operator=(TemporaryDirectory&&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryDirectory(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;  // empty: another object owns it
};

}  // namespace ravel
