// SPDX-License-Identifier: Apache-2.0
// SequenceRunner: performs sequences of calls in a harness, one after the other, each in a process forked from the
// harness before its first call. So every sequence begins with the same memory at the same addresses, and one that
// crashes costs nothing else. What it learns is kept: a sequence runs once.
//
// Who calls it: TestSearch. Thread safety: none; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/status.h"
#include "driver/process/deadline.h"
#include "driver/process/file_descriptor.h"
#include "driver/process/process.h"
#include "driver/reproduce/call.h"
#include "driver/reproduce/call_record.h"

namespace ravel {

class SequenceRunner {
 public:
  // `recorder`: libravel_calls.so. The harness starts in `directory`.
  static Result<std::unique_ptr<SequenceRunner>> start(const std::string& harness, const std::string& recorder,
                                                       const std::string& directory, const Deadline& deadline);
  ~SequenceRunner();
  SequenceRunner(const SequenceRunner&) = delete;
  SequenceRunner& operator=(const SequenceRunner&) = delete;

  // The record stays valid. When the deadline has come, or the harness is gone, nothing ran: a record that crashed.
  const CallRecord& run(const Sequence& sequence);

  std::uint64_t performed() const { return performed_; }
  bool is_lost() const { return lost_; }

 private:
  SequenceRunner() = default;
  bool ask(const std::string& line);

  Process process_;
  FileDescriptor requests_;
  FileDescriptor answers_;
  FileDescriptor memory_;
  CallTrace* trace_ = nullptr;
  Deadline deadline_;
  bool lost_ = false;
  std::uint64_t performed_ = 0;
  std::map<Sequence, CallRecord> known_;
};

}  // namespace ravel
