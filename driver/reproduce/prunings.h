// SPDX-License-Identifier: Apache-2.0
// Prunings of ConCrash (Bianchi, Pezze, Terragni 2017): reasons not to explore the schedules of a test, known
// from running its two calls alone. One file each.
// PS-Redundant, which has to remember, is in ps_redundant.h.
//
// Who calls them: TestSearch. Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "driver/reproduce/call_record.h"
#include "driver/reproduce/crash_target.h"

namespace ravel {

enum class Pruning : std::uint8_t {
#define RAVEL_PRUNING(enumerator, key, name, sentence) enumerator,
#include "driver/reproduce/pruning.def"
#undef RAVEL_PRUNING
};
inline constexpr std::size_t kPrunings = 5;

const char* pruning_key(Pruning pruning);
const char* pruning_name(Pruning pruning);
const char* pruning_sentence(Pruning pruning);
std::optional<Pruning> pruning_from_name(std::string_view name);

// PS-Exception
bool fails_alone(const CallRecord& crashing, const CallRecord& interfering);

// PS-Stack: does the call get to where the crash was, called the same way?
struct Reach {
  bool reached = false;
  std::size_t depth = 0;  // places of the target that were reached, from the crashing method on
  // Shared words that were read, ascending: at the lines of the crash stack, and anywhere in the function that crashed.
  std::vector<std::uint64_t> reads_at_lines;
  std::vector<std::uint64_t> reads_in_function;
};
// `table` is of the harness.
Reach reach_of(const CallRecord& crashing, const CrashTarget& target, PlaceTable& table);

// Was the last thing that the call did at the place of the crash, called the same way? Of a call that crashed alone.
bool ends_at_crash(const CallRecord& record, const CrashTarget& target, PlaceTable& table);

// PS-Interfere
bool interferes(const CallRecord& crashing, const CallRecord& interfering);

// How near its writes are to the crash: 0 it frees, or makes null, what the lines of the crash stack read; 1 it writes
// something else there; 2 it writes what the crashing function reads; 3 anything else. Tests are explored in this
// order; nothing is ruled out by it.
unsigned distance(const Reach& reach, const CallRecord& interfering);
inline constexpr unsigned kDistances = 4;

// PS-Interleave
bool can_interleave(const CallRecord& crashing, const CallRecord& interfering);

}  // namespace ravel
