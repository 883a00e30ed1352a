// SPDX-License-Identifier: Apache-2.0
// CrashTarget: what a test has to show to reproduce a crash: a failure of the same sort with the same stack, from where
// it failed to the call of the crashing method. Stacks are compared without the frames of libraries, which differ from
// build to build, and by the names of functions without parameters and template arguments.
//
// Who makes it: reproduce(), from the crash report. Who asks it: PS-Stack, and TestExplorer. Thread safety: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "driver/crash/crash_report.h"
#include "driver/crash/crashing_class.h"
#include "reports/campaign_result.h"

namespace ravel {

struct StackPlace {
  std::string function;  // "app::Logger::log"
  std::string file;
  std::uint32_t line = 0;  // 0: unknown
};

enum class StackMatch : std::uint8_t {
  none,
  functions,  // the same functions; the place of the failure is another line
  exact,      // and the same line, as far as the report has one
};

struct CrashTarget {
  std::vector<StackPlace> places;  // innermost first; the last is the crashing method
  // Parameters of the crashing method, where the report shows them: they tell overloads apart.
  std::optional<std::size_t> parameters;
  CrashFailure failure;
  // Of a deadlock: the stack of the other thread. The search has two methods to call then, and no other.
  std::vector<StackPlace> other_places;

  bool is_deadlock() const { return !other_places.empty(); }
  // The same seen from the other thread.
  CrashTarget from_other_side() const;

  // The statement itself ends the execution (throw, abort), so no execution that ends well gets there.
  bool fails_by_itself() const;
  // An invalid access, or nobody knows: a pointer was null, or led to memory that was gone.
  bool may_be_invalid_access() const;
  // Could this finding be that failure?
  bool is_same_sort(const ResolvedFinding& finding) const;
  StackMatch match(std::span<const StackPlace* const> stack) const;
  StackMatch match(std::span<const StackPlace> stack) const;
  StackMatch match(const ResolvedFinding& finding) const;

 private:
  StackMatch match_deadlock(const ResolvedFinding& finding) const;
};

// How many parameters the frame shows: types, or the values of a debugger without `this`.
std::optional<std::size_t> shown_parameters(const CrashFrame& frame);

CrashTarget target_of(const CrashReport& report, const CrashingClass& crashing);

// For threads that wait for each other. Trouble when only one of them is in the class.
Result<CrashTarget> deadlock_target_of(const CrashReport& report, const CrashingClass& crashing,
                                       const ClassWish& wish = {});

// The places of a stack that are the user's code, innermost first.
std::vector<StackPlace> places_of(std::span<const Frame> frames);

// A frame as a place; false: library code.
bool place_of(const Frame& frame, StackPlace& place);

// The places of code addresses, each looked up once. Return addresses.
class PlaceTable {
 public:
  explicit PlaceTable(SymbolSource& symbols) : symbols_(symbols) {}
  const std::vector<StackPlace>& at(std::uint64_t pc);

 private:
  SymbolSource& symbols_;
  std::unordered_map<std::uint64_t, std::vector<StackPlace>> known_;
};

}  // namespace ravel
