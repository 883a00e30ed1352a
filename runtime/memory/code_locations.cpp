// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/code_locations.h"

namespace ravel {

void CodeLocations::prepare() {
  table_.prepare();
  if (pcs_.prepared()) return;
  RAVEL_CHECK(pcs_.prepare(kMaxLocations), "no address space left for the runtime's tables");
}

void CodeLocations::learn(const std::uint64_t* sites, std::uint32_t count) {
  if (count < learned_) forget();
  for (; learned_ < count; ++learned_) {
    if (sites[learned_] == 0) continue;
    at(sites[learned_]).shared = 1;
    ++shared_count_;
  }
}

void CodeLocations::mark_shared(std::uint32_t index) {
  const std::uint64_t pc = pcs_[index - 1];
  State& state = table_.find_or_add(pc).value;
  if (state.shared != 0) return;
  state.shared = 1;
  ++shared_count_;
  if (log_.count == nullptr || *log_.count >= log_.capacity) return;  // full: still shared in this execution
  log_.site[*log_.count] = pc;
  ++*log_.count;
}

void CodeLocations::forget() {
  table_.clear();
  count_ = 0;
  learned_ = 0;
}

void CodeLocations::number(State& state, std::uint64_t pc) {
  if (!pcs_.prepared()) prepare();
  RAVEL_CHECK(pcs_.make_room(count_), "the program has too many instrumented code locations");
  pcs_[count_++] = pc;
  state.index = count_;
}

}  // namespace ravel
