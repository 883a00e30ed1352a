// SPDX-License-Identifier: Apache-2.0
// OpenFiles: files that the process has open, and what belongs to an open file: position, flags, locks. Two occasions:
//  - At the fork point. An open file would be shared by the fork server and all executions; each must find it as the
//    program left it.
//  - When the process gets another view of a directory (PrivateView). What it has open there, and has mapped as shared
//    memory, must be opened again in the new view: by its name.
//
// Who calls it: the fork server, an execution before it begins, PrivateView. Thread safety: none; one thread of each
// process. Invariant: descriptors that shared an open file (dup) share one afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/files/file_locks.h"

namespace ravel {

class OpenFiles {
 public:
  // In the fork server, at the fork point. Then, before each execution: puts back what it shares with executions.
  void remember();
  void give_up_locks() const { locks_.give_up(); }
  void restore() const;

  // In an execution, before it begins. Files that must be its own alone: it could write to them, or locks were on them.
  // Calls visit(descriptor) for each.
  template <typename Visit>
  void for_each_own(Visit visit) const {
    for (std::size_t i = 0; i < count_; ++i) {
      if (files_[i].own && files_[i].same_as == files_[i].descriptor) visit(files_[i].descriptor);
    }
  }
  bool any_own() const {
    bool any = false;
    for_each_own([&any](int) { any = true; });
    return any;
  }
  // Where files are put back on the disk instead: opens them again by the names they had. One that was removed and put
  // back is another file.
  void open_by_names() const;
  // Then: takes the locks.
  void take_locks();

  // Instead of the above: what is open or mapped at or below a directory and still has its name there.
  void remember_below(std::string_view directory);
  // Opens all of it again.
  void open_again();
  bool has_mappings() const { return mapping_count_ > 0; }

 private:
  struct File {
    int descriptor;
    long flags;
    long position;  // -1: has none
    int same_as;    // the first descriptor with the same open file
    bool own;       // can be written to, or had locks
  };
  struct Mapping {
    std::uint64_t start;
    std::uint64_t end;
    std::uint64_t offset;
    int protection;
    int file;  // open in the old view
  };

  int first_with_open_file_of(int descriptor) const;
  void add(int descriptor, bool regular);
  void remember_mappings(std::string_view directory);
  void replace(const File& file, int fresh) const;

  static constexpr int kDescriptors = 700;  // the driver's own lie above
  static constexpr std::size_t kMost = 512;
  static constexpr std::size_t kMostMappings = 64;
  File files_[kMost] = {};
  std::size_t count_ = 0;
  Mapping mappings_[kMostMappings] = {};
  std::size_t mapping_count_ = 0;
  FileLocks locks_;
};

}  // namespace ravel
