// SPDX-License-Identifier: Apache-2.0
// ReplayCursor: returns the decisions of the plan's prefix one by one. Called by the scheduler before it asks the
// chooser. When the prefix is used up, active() is false and the chooser decides.
#pragma once

#include <cstdint>

#include "trace/channel.h"

namespace ravel {

class ReplayCursor {
 public:
  void begin(const Channel& channel) {
    const auto prefix = prefix_of(channel);
    run_ = prefix.data();
    end_ = run_ + prefix.size();
    used_ = 0;
  }

  bool active() const { return run_ != end_; }

  // The next decision, not consumed yet. Only while active().
  const DecisionRun& peek() const { return *run_; }

  void consume() {
    if (++used_ >= run_->count) skip_run();
  }

  void skip_run() {
    ++run_;
    used_ = 0;
  }

 private:
  const DecisionRun* run_ = nullptr;
  const DecisionRun* end_ = nullptr;
  std::uint32_t used_ = 0;
};

}  // namespace ravel
