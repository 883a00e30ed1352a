// SPDX-License-Identifier: Apache-2.0
// StandardInput: what every execution reads from its stdin. A terminal becomes /dev/null; each target reads a regular
// file from the start; a pipe can be read only once, so it is first copied into memory. Created once per command;
// open() may be called from any worker.
#pragma once

#include <chrono>
#include <string>

#include "base/status.h"
#include "driver/process/file_descriptor.h"

namespace ravel {

class StandardInput {
 public:
  // Takes descriptor `fd` (the driver's own stdin). A pipe that nobody writes to must not hang the campaign: if no byte
  // arrives within `patience`, the input counts as empty. After the first byte take() waits for the end of the input,
  // but never longer than 20 times `patience` without a byte. warning() then says what was assumed.
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
