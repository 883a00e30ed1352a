// SPDX-License-Identifier: Apache-2.0
// StandardInput: what every execution reads from its stdin. A terminal becomes /dev/null; a regular file is read anew
// by each target; a pipe can be read only once, so it is copied into memory first. Made once per campaign; open() may
// be called from any worker.
#pragma once

#include <chrono>
#include <string>

#include "base/status.h"
#include "driver/process/file_descriptor.h"

namespace ravel {

class StandardInput {
 public:
  // Looks at descriptor `fd` (the driver's own stdin). A pipe nobody writes to must not hang the campaign: when no byte
  // has come after `patience`, the input is taken as empty; after the first byte its end is waited for, but never
  // longer than `patience` times 20 without a byte. warning() then says what was assumed.
  static Result<StandardInput> take(int fd, std::chrono::milliseconds patience = std::chrono::milliseconds(500));

  // No input at all.
  static StandardInput none() { return StandardInput{}; }

  // A new open file description positioned at the start of the input: targets do not share an offset.
  FileDescriptor open() const;

  const std::string& warning() const { return warning_; }

 private:
  FileDescriptor source_;  // invalid: /dev/null
  long offset_ = 0;        // where the input begins in source_
  std::string warning_;
};

}  // namespace ravel
