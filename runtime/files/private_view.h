// SPDX-License-Identifier: Apache-2.0
// PrivateView: what a process changes on disk, only it sees. The first change in a directory moves the process into
// mount namespaces of its own and puts an overlay over the directory's mount (mount_table.h says over what exactly).
// Its upper layer lies in memory and is gone with the process. A program that changes no file pays nothing.
//
// The program before its first thread has layers; each execution has its own, over those of the program before it,
// which were sealed at the fork point:
//
//     the program before its first thread      the fork server         an execution
//     overlay  upper: u0                       upper: s0               upper: next/u0
//              lower: r0, the real directory   lower: l0, r0           lower: l0 (what was in u0), r0
//
// Layers are listed side by side, never stacked: the kernel stacks overlays two deep, and the root of a container is
// one already. They lie in a small file system in memory (tmpfs), over a directory that no program looks into.
//
// Who calls it: the exported functions that change files, before they do; the fork server; an execution before it
// begins. Thread safety: none; only the running task calls it. On the thread carrier enter() must come before the
// second thread, since a thread that is there does not see another one's namespace.
//
// Invariant: once a function here has returned Change::apart for a name, everything below the same layer is apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/files/open_files.h"
#include "runtime/files/paths.h"

namespace ravel {

// What becomes of a change that follows.
enum class Change : std::uint8_t {
  apart,     // only this process sees it
  harmless,  // it leaves nothing, or cannot succeed
  real,      // it would change the disk: no layer is possible there
};

class PrivateView {
 public:
  // The name `path` (relative to `directory`, as openat has it) may come, go, or lead elsewhere.
  Change name_changes(int directory, const char* path);
  // The file that `path` leads to may change, or come to be.
  Change file_changes(int directory, const char* path);
  Change file_changes(int descriptor);

  // Are the directories of two names on one disk, though perhaps in two layers?
  bool on_one_disk(int directory, const char* path, int other_directory, const char* other);

  // Another name for a file, which leads past the layers to the disk: its length, 0 when it is in no layer. A socket
  // that others listen at can only be reached there.
  std::size_t name_on_disk(const char* path, char* name, std::size_t capacity);

  // Enters the namespaces now. 0 or an errno.
  int enter();
  // As much of it as must happen while the process has one thread.
  int prepare_to_enter();

  // In the fork server, at the fork point: what the program has changed becomes the ground of all executions.
  void seal();
  // In an execution, before anything else: what the server has entered is not its own. Memory that it shares with files
  // is, afterwards.
  void after_fork();

  // Why there is no view: an errno; 0: nothing was in the way, or nothing was tried.
  int trouble() const { return trouble_; }
  bool any() const { return layer_count_ > 0; }
  bool entered() const { return entered_; }

 private:
  struct Layer {
    char path[kPathBytes];
    std::size_t length;
    std::uint64_t mount;  // the kernel's number of the overlay
    bool here;            // of this process
    bool sealed;          // the program had it before its first thread
    bool mapped;          // and shared memory with a file in it
  };

  void name_of_real(const Layer& layer, char (&name)[64]) const;
  std::uint64_t disk_of(int directory, const char* path);
  Change change_in(std::string_view directory);
  bool is_apart(std::uint64_t mount) const;
  Layer* layer_of(std::string_view directory);
  std::size_t length_for(std::string_view directory, std::size_t least) const;
  Change put(Layer& layer);
  void show_again(const int* descriptors);
  int mount_overlay(const Layer& layer, std::size_t number);
  const char* base() const { return below_server_ ? "/proc/fs/next" : "/proc/fs"; }

  static constexpr std::size_t kMost = 32;
  Layer layers_[kMost] = {};
  std::size_t layer_count_ = 0;
  bool entered_ = false;
  bool sealing_ = false;
  bool below_server_ = false;  // the fork server has layers
  int trouble_ = 0;
  OpenFiles moved_;
};

PrivateView& private_view();

}  // namespace ravel
