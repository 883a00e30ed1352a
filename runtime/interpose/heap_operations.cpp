// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/heap_operations.h"

#include "runtime/interpose/memory_operations.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/scheduler/scheduler.h"

namespace ravel {

void heap_block_allocated(void* block, std::size_t size) {
  if (block == nullptr || !under_engine() || !scheduler().concurrent()) return;
  memory_released(reinterpret_cast<std::uint64_t>(block), size);
}

void report_use_after_free(const Operation& operation) {
  scheduler().report(FindingKind::use_after_free, "", operation);
}

bool describe_heap_block(std::uint64_t, HeapBlockRecord&) { return false; }

}  // namespace ravel
