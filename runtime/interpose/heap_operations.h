// SPDX-License-Identifier: Apache-2.0
// The heap as the rest of the runtime needs to know it: a block handed out anew has nothing to do with what was at its
// address before. Without that, memory freed by one task and allocated by another would look shared.
//
// Told when memory is handed out, not when it is given back: an access to freed memory is still one to the old block.
#pragma once

#include <cstddef>

namespace ravel {

// `block` (may be null) was just handed to the current task, usable up to `size` bytes.
void heap_block_allocated(void* block, std::size_t size);

}  // namespace ravel
