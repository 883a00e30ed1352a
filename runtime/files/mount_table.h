// SPDX-License-Identifier: Apache-2.0
// The mounts of a process (/proc/self/mountinfo), asked one thing: over which directory must a layer lie, so that
// changes in a given directory stay in it?
//
// Who calls it: PrivateView. Thread-safe: a function of its arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ravel {

enum class Coverable : std::uint8_t {
  possible,    // by a layer over the first `length` characters of the directory
  needless,    // nothing there outlives the process, or nothing can be changed: /proc, /sys, read-only mounts
  impossible,  // the root directory itself, or one with other mounts beneath it
};

struct Cover {
  Coverable coverage = Coverable::impossible;
  std::size_t length = 0;
};

// The name of our own mounts, as their source. A layer may lie over them: PrivateView shows them again.
inline constexpr const char* kOwnMount = "ravel";

// `directory` is absolute, without links. The layer is put as high as possible, so that a program has few of them: over
// the mount that the directory is in, or over the highest directory of it that has no other mounts beneath, because a
// layer would hide those. It is never put over "/", which a process cannot enter again.
Cover cover_for(std::string_view mountinfo, std::string_view directory);

}  // namespace ravel
