// SPDX-License-Identifier: Apache-2.0
// Built without instrumentation: the atomics are plain instructions that nobody sees.
#include <atomic>

static std::atomic<bool> handed_over = false;

extern "C" void hand_over() { handed_over.store(true, std::memory_order_release); }
extern "C" bool is_handed_over() { return handed_over.load(std::memory_order_acquire); }
