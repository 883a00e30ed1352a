// SPDX-License-Identifier: Apache-2.0
//
// The lengths of x86-64 instructions, and which of them are atomic read-modify-writes: those with a lock prefix, and
// exchanges with memory, which need none. Code that is instrumented has none of its own, as its atomics are calls.
//
// Who calls it: runtime/interpose/assembly, which finds such instructions and moves them. A decoder inside the target
// must not need libc, and this is all that is needed of one: no operands, no names, nothing that only an operating
// system or a 32-bit program uses.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel {

// Where it may lead instead of to the next instruction. Other: calls, returns, jumps through memory and the like.
enum class BranchKind : std::uint8_t { none, conditional, jump, other };

struct MachineInstruction {
  std::uint8_t length = 0;  // 0: not an instruction, or not all of it is there
  bool locked = false;      // an atomic read-modify-write of memory
  BranchKind branch = BranchKind::none;
  std::uint8_t rip_relative = 0;  // where the four bytes stand by which an operand is away from it; 0: there is none
  std::uint8_t relative = 0;      // where the bytes begin by which the target of a branch is away; they end it
};

// The instruction that begins at code[0]; `available` bytes may be read.
MachineInstruction decode_instruction(const std::uint8_t* code, std::size_t available);

// Where the first locked instruction at or after `start` begins, below `end`; `end` when there is none. Decodes one
// instruction after the other. Where bytes are no instruction, it goes on with the next byte.
const std::uint8_t* find_locked_instruction(const std::uint8_t* start, const std::uint8_t* end);

}  // namespace ravel
