// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/assembly.h"

#include <cpuid.h>

#include "runtime/interpose/points.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/unseen_code.h"
#include "runtime/memory/machine_code.h"
#include "runtime/memory/raw_pages.h"

// assembly_stub_x86_64.S
extern "C" void ravel_assembly_stub();

namespace ravel {
namespace {

constexpr std::uint32_t kMostSites = 1U << 14;
constexpr std::uint64_t kJumpBytes = 5;
constexpr std::uint32_t kSpins = 256;  // passages without a step of any task, before others are let run

// A locked instruction that is noticed.
struct Site {
  std::uint8_t* start;
  std::uint32_t bytes;  // of the instructions that the jump to their copy replaces
  std::uint32_t object;
  bool entered;  // something branches to the middle of them
};

struct Assembly {
  Site* site = nullptr;  // of one module in order of address
  std::uint32_t sites = 0;
  // The latest passage.
  const Task* task = nullptr;
  std::uint64_t step = 0;
  std::uint32_t passages = 0;  // since then, in the same step
};
constinit Assembly g_assembly;

// Can it be moved elsewhere? Branches can when they are the last one.
bool movable(const MachineInstruction& instruction) {
  return instruction.length != 0 && instruction.branch != BranchKind::other;
}

// How many bytes the jump at `start` replaces: whole instructions; 0 when they cannot be moved.
std::uint32_t bytes_to_move(const std::uint8_t* start, const std::uint8_t* end) {
  std::uint32_t bytes = 0;
  while (bytes < kJumpBytes) {
    const MachineInstruction next = decode_instruction(start + bytes, static_cast<std::size_t>(end - start) - bytes);
    if (!movable(next)) return 0;
    bytes += next.length;
    if (next.branch != BranchKind::none && bytes < kJumpBytes) return 0;
  }
  return bytes;
}

// The site whose moved bytes, without the first, contain `target`.
Site* site_entered_at(const std::uint8_t* target, std::uint32_t first, std::uint32_t end) {
  while (first < end) {
    const std::uint32_t middle = (first + end) / 2;
    Site& site = g_assembly.site[middle];
    if (target <= site.start) {
      end = middle;
    } else if (target >= site.start + site.bytes) {
      first = middle + 1;
    } else {
      return &site;
    }
  }
  return nullptr;
}

void find_sites(const std::uint8_t* start, const std::uint8_t* end) {
  const std::uint32_t first = g_assembly.sites;
  for (const std::uint8_t* at = start; at < end;) {
    at = find_locked_instruction(at, end);
    if (at == end || g_assembly.sites == kMostSites) break;
    const std::uint32_t bytes = bytes_to_move(at, end);
    if (bytes != 0) g_assembly.site[g_assembly.sites++] = {const_cast<std::uint8_t*>(at), bytes, 0, false};
    at += bytes != 0 ? bytes : decode_instruction(at, static_cast<std::size_t>(end - at)).length;
  }
  if (g_assembly.sites == first) return;
  for (const std::uint8_t* at = start; at < end;) {
    const MachineInstruction instruction = decode_instruction(at, static_cast<std::size_t>(end - at));
    if (instruction.relative != 0) {
      const std::uint8_t* const after = at + instruction.length;
      const std::uint8_t* const target = instruction.length - instruction.relative == 1
                                             ? after + static_cast<std::int8_t>(at[instruction.relative])
                                             : read_distance(at + instruction.relative);
      if (Site* const site = site_entered_at(target, first, g_assembly.sites)) site->entered = true;
    }
    at += instruction.length == 0 ? 1 : instruction.length;
  }
}

// The copy of one instruction, which does the same from its new place; returns where it ends.
std::uint8_t* move_instruction(const std::uint8_t* from, const MachineInstruction& instruction, std::uint8_t* to) {
  if (instruction.branch == BranchKind::none) {
    for (unsigned i = 0; i < instruction.length; ++i) {
      asm volatile("");  // else this is made a call of memcpy, which is interposed
      to[i] = from[i];
    }
    if (instruction.rip_relative != 0) {
      const std::uint8_t* const after = from + instruction.length;
      const std::uint8_t* const target =
          read_distance(from + instruction.rip_relative) + (after - (from + instruction.rip_relative + 4));
      // The distance counts from the end of the instruction, which may come after it.
      put_distance(to + instruction.rip_relative, target - (instruction.length - instruction.rip_relative - 4));
    }
    return to + instruction.length;
  }
  const std::uint8_t* const after = from + instruction.length;
  const bool is_short = instruction.length - instruction.relative == 1;
  const std::uint8_t* const target = is_short ? after + static_cast<std::int8_t>(from[instruction.relative])
                                              : read_distance(from + instruction.relative);
  if (instruction.branch == BranchKind::conditional) {
    *to++ = 0x0f;
    *to++ = static_cast<std::uint8_t>(0x80 | (from[instruction.relative - 1] & 0x0f));
  } else {
    *to++ = 0xe9;
  }
  put_distance(to, target);
  return to + 4;
}

constexpr std::uint64_t kCopyBytes = 112;

// lea -128(%rsp), %rsp; push NUMBER; call *ravel_assembly_stub; lea 136(%rsp), %rsp; the instructions; jmp back
bool redirect(const LoadedModule& module, NearMemory& memory, std::uint32_t number) {
  const Site& site = g_assembly.site[number];
  std::uint8_t* const copy = memory.take(kCopyBytes);
  if (copy == nullptr) return false;
  std::uint8_t* const stub_address = copy;
  put_address(stub_address, reinterpret_cast<const void*>(&ravel_assembly_stub));
  std::uint8_t* const begin = copy + 8;
  constexpr std::uint8_t kSkipRedZone[] = {0x48, 0x8d, 0x64, 0x24, 0x80};
  constexpr std::uint8_t kGoBack[] = {0x48, 0x8d, 0xa4, 0x24, 0x88, 0, 0, 0};
  std::uint8_t* to = begin;
  const auto put = [&to](std::uint8_t byte) { *to++ = byte; };
  for (const std::uint8_t byte : kSkipRedZone) put(byte);
  put(0x68);
  put_number(to, number);
  to += 4;
  put(0xff);
  put(0x15);
  put_distance(to, stub_address);
  to += 4;
  for (const std::uint8_t byte : kGoBack) put(byte);
  for (std::uint32_t at = 0; at < site.bytes;) {
    const MachineInstruction instruction = decode_instruction(site.start + at, site.bytes - at);
    to = move_instruction(site.start + at, instruction, to);
    at += instruction.length;
  }
  put(0xe9);
  put_distance(to, site.start + site.bytes);
  const Writable code(module, site.start, site.bytes);
  if (!code) return false;
  site.start[0] = 0xe9;
  put_distance(site.start + 1, begin);
  return true;
}

// The stub saves vector registers as the kernel does.
bool can_save_registers() {
  constexpr unsigned kOsUsesXsave = 1U << 27;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & kOsUsesXsave) != 0;
}

}  // namespace

void notice_assembly_of(const LoadedModule& module) {
  if (!can_save_registers()) return;
  if (g_assembly.site == nullptr) {
    g_assembly.site = static_cast<Site*>(reserve_pages(kMostSites * sizeof(Site)));
    if (g_assembly.site == nullptr) return;
  }
  const std::uint32_t first = g_assembly.sites;
  module.for_each_code([](const std::uint8_t* start, const std::uint8_t* end) { find_sites(start, end); });
  NearMemory memory(module);
  for (std::uint32_t number = first; number < g_assembly.sites; ++number) {
    Site& site = g_assembly.site[number];
    if (site.entered) continue;
    site.object = object_of_assembly(reinterpret_cast<std::uint64_t>(site.start));
    if (!redirect(module, memory, number)) return;
  }
}

// From ravel_assembly_stub: the running task is about to execute the locked instruction with this number.
extern "C" __attribute__((visibility("hidden"))) void ravel_note_assembly(std::uint64_t number) {
  if (!under_engine() || !scheduler().controlled()) return;
  const Site& site = g_assembly.site[number];
  const Task& task = scheduler().current();
  const std::uint64_t step = scheduler().channel().result.summary.steps;
  if (g_assembly.task == &task && g_assembly.step == step) {
    // Nobody else has run since.
    if (++g_assembly.passages % kSpins != 0 || !scheduler().concurrent()) return;
    reach_point(operation_on(OperationKind::yield, std::uint64_t{0}, reinterpret_cast<std::uint64_t>(site.start) + 1));
  } else {
    g_assembly.passages = 0;
  }
  g_assembly.task = &task;
  g_assembly.step = scheduler().channel().result.summary.steps;
  passes_assembly(site.object);
}

}  // namespace ravel
