// SPDX-License-Identifier: Apache-2.0
// The heap as the rest of the runtime needs to know it: a block handed out anew has nothing to do with what was at its
// address before. Without that, memory freed by one task and allocated by another would look shared.
//
// Told when memory is handed out, not when it is given back: an access to freed memory is still one to the old block.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/operation.h"
#include "trace/channel.h"

namespace ravel {

// `block` (may be null) was just handed to the current task, usable up to `size` bytes.
void heap_block_allocated(void* block, std::size_t size);

// An access to memory whose block was freed (told to the shadow by memory_freed): the finding, once for each place.
// Called by memory_operations, at the turn of the access. The execution goes on.
void report_use_after_free(const Operation& operation);

// The block of the heap that holds `address`, live or in quarantine: fills all of `record` that is known.
// False when there is none.
bool describe_heap_block(std::uint64_t address, HeapBlockRecord& record);

}  // namespace ravel
