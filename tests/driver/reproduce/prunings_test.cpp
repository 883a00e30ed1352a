// SPDX-License-Identifier: Apache-2.0
// The five prunings, on traces that are written here. Figure 7 of paper 001 is one of them.
#include "driver/reproduce/prunings.h"

#include <gtest/gtest.h>

#include <memory>

#include "driver/reproduce/ps_redundant.h"

namespace ravel {
namespace {

constexpr std::uint64_t kField = 0x1000;
constexpr std::uint64_t kOther = 0x2000;
constexpr std::uint64_t kLock = 0x3000;

CallEvent event(CallEventKind kind, std::uint64_t address = 0, std::uint64_t pc = 0) {
  return {address, pc, kind, ValueClass::unknown, 1, 8};
}
CallEvent read(std::uint64_t address) { return event(CallEventKind::read, address); }
CallEvent write(std::uint64_t address, ValueClass value = ValueClass::positive) {
  CallEvent result = event(CallEventKind::write, address);
  result.value = value;
  return result;
}
CallEvent take() { return event(CallEventKind::acquire, kLock); }
CallEvent release() { return event(CallEventKind::release, kLock); }

CallRecord record(const std::vector<CallEvent>& events, CallOutcome outcome = CallOutcome::returned) {
  const auto trace = std::make_unique<CallTrace>();
  trace->outcome = outcome;
  trace->event_count = static_cast<std::uint32_t>(events.size());
  for (std::size_t i = 0; i < events.size(); ++i) trace->event[i] = events[i];
  return record_of(*trace, 1);
}

TEST(PsException, RulesOutCallsThatFailAlone) {
  EXPECT_FALSE(fails_alone(record({}), record({})));
  for (const CallOutcome outcome :
       {CallOutcome::crashed, CallOutcome::threw, CallOutcome::waits, CallOutcome::starts_threads}) {
    EXPECT_TRUE(fails_alone(record({}, outcome), record({})));
    EXPECT_TRUE(fails_alone(record({}), record({}, outcome)));
  }
}

TEST(PsInterfere, NeedsAWriteOfWhatIsRead) {
  EXPECT_TRUE(interferes(record({read(kField)}), record({write(kField)})));
  EXPECT_TRUE(interferes(record({read(kField + 4)}), record({write(kField)})));  // of the same word
  EXPECT_FALSE(interferes(record({read(kField)}), record({write(kOther)})));
  EXPECT_FALSE(interferes(record({read(kField)}), record({read(kField)})));
  EXPECT_FALSE(interferes(record({write(kField)}), record({write(kField)})));
}

TEST(PsInterfere, CountsFreedMemoryAsWritten) {
  EXPECT_TRUE(interferes(record({read(kField)}), record({event(CallEventKind::freed, kField)})));
}

TEST(PsInterfere, IgnoresMemoryOfTheCallItself) {
  CallEvent local = write(kField);
  local.shared = 0;
  EXPECT_FALSE(interferes(record({read(kField)}), record({local})));
}

TEST(PsInterleave, RulesOutCallsUnderOneLock) {
  const CallRecord locked = record({take(), read(kField), write(kField), release()});
  EXPECT_FALSE(can_interleave(locked, locked));
  EXPECT_TRUE(can_interleave(locked, record({write(kField)})));
}

// Figure 7: e5 is under the lock as well, but the lock was released before it, and the other call fits in between.
TEST(PsInterleave, RemembersThatALockWasReleased) {
  const CallRecord first = record({take(), write(kField), release(), take(), write(kField), release()});
  const CallRecord second = record({take(), write(kField), release()});
  EXPECT_EQ(first.histories, (std::vector<std::vector<std::uint64_t>>{{}, {kLock}}));
  EXPECT_EQ(second.histories, (std::vector<std::vector<std::uint64_t>>{{kLock}}));
  EXPECT_TRUE(can_interleave(first, second));
}

TEST(PsRedundant, KnowsPairsThatDoTheSame) {
  CoveredPairs covered;
  const CallRecord reader = record({read(kField)});
  const CallRecord writer = record({write(kField)});
  EXPECT_FALSE(covered.contains(reader, writer));
  covered.insert(reader, writer);
  EXPECT_TRUE(covered.contains(reader, writer));
  EXPECT_FALSE(covered.contains(writer, reader));
}

TEST(PsRedundant, TellsNullFromAPointer) {
  CoveredPairs covered;
  const CallRecord reader = record({read(kField)});
  covered.insert(reader, record({write(kField, ValueClass::positive)}));
  EXPECT_FALSE(covered.contains(reader, record({write(kField, ValueClass::zero)})));
}

TEST(Distance, PrefersNullAndFreedMemoryOnTheStack) {
  Reach reach;
  reach.reads_at_lines = {kField};
  reach.reads_in_function = {kField, kOther};
  EXPECT_EQ(distance(reach, record({write(kField, ValueClass::zero)})), 0U);
  EXPECT_EQ(distance(reach, record({event(CallEventKind::freed, kField)})), 0U);
  EXPECT_EQ(distance(reach, record({write(kField)})), 1U);
  EXPECT_EQ(distance(reach, record({write(kOther)})), 2U);
  EXPECT_EQ(distance(reach, record({write(kLock)})), 3U);
}

TEST(Prunings, HaveNames) {
  EXPECT_EQ(pruning_from_name("PS-Stack"), Pruning::stack);
  EXPECT_EQ(pruning_from_name("interleave"), Pruning::interleave);
  EXPECT_EQ(pruning_from_name("PS-Magic"), std::nullopt);
}

// A symboliser whose answers are written here.
class Places final : public SymbolSource {
 public:
  using SymbolSource::code;
  const std::vector<Frame>& code(std::uint64_t address, AddressKind) override { return frames_.at(address); }
  std::string_view module_path(std::uint64_t) override { return "app"; }
  const DataName& data(std::uint64_t, std::uint64_t) override { return name_; }
  const DataName& thread_local_data(std::uint64_t, std::uint64_t) override { return name_; }
  const DataName& local_data(const StackFrame&, std::uint64_t, std::uint64_t) override { return name_; }
  bool is_signal_return(std::uint64_t) override { return false; }

 private:
  static Frame frame(const char* function, std::uint32_t line) {
    return {function, "logger.cpp", line, 0, "app", 0, false};
  }

  std::map<std::uint64_t, std::vector<Frame>> frames_ = {
      {1, {frame("ravel_call_4(int const*)", 7)}},
      {2, {frame("app::Logger::info(std::string const&)", 18)}},
      {3, {frame("app::Logger::log(app::Record const&)", 45)}},
      {4, {frame("app::Logger::log(app::Record const&)", 46)}},
      {5, {frame("std::vector<int>::size() const", 900), frame("app::Logger::log(app::Record const&)", 46)}}};
  DataName name_;
};

CrashTarget target(std::uint32_t line, FindingKind kind) {
  CrashTarget result;
  result.failure.kind = kind;
  result.places = {{"app::Logger::log", "logger.cpp", line}, {"app::Logger::info", "logger.cpp", 18}};
  return result;
}

// info() calls log(), which reads a field at line 45, and one at 46 if `far`.
CallRecord logging(bool far, std::uint64_t last = 4) {
  std::vector<CallEvent> events = {event(CallEventKind::enter, 0, 1), event(CallEventKind::enter, 0, 2),
                                   event(CallEventKind::read, kField, 3)};
  if (far) events.push_back(event(CallEventKind::read, kOther, last));
  events.push_back(event(CallEventKind::leave, 0, 4));
  events.push_back(event(CallEventKind::leave, 0, 2));
  return record(events);
}

TEST(PsStack, NeedsTheLineOfTheCrashUnderItsStack) {
  Places places;
  PlaceTable table(places);
  const CrashTarget crash = target(46, FindingKind::signal);
  EXPECT_FALSE(reach_of(logging(false), crash, table).reached);
  const Reach reach = reach_of(logging(true), crash, table);
  EXPECT_TRUE(reach.reached);
  EXPECT_EQ(reach.depth, 2U);
  EXPECT_EQ(reach.reads_at_lines, (std::vector<std::uint64_t>{kOther}));
  EXPECT_EQ(reach.reads_in_function, (std::vector<std::uint64_t>{kField, kOther}));
}

TEST(PsStack, LooksThroughLibraryCode) {
  Places places;
  PlaceTable table(places);
  EXPECT_TRUE(reach_of(logging(true, 5), target(46, FindingKind::signal), table).reached);
}

// A call that ends well never executes the throw.
TEST(PsStack, NeedsOnlyTheFunctionOfAThrow) {
  Places places;
  PlaceTable table(places);
  EXPECT_TRUE(reach_of(logging(false), target(50, FindingKind::uncaught_exception), table).reached);
  EXPECT_FALSE(reach_of(logging(false), target(50, FindingKind::signal), table).reached);
}

// A test that fails without a second thread comes last.
TEST(EndsAtCrash, LooksAtTheLastThingThatHappened) {
  Places places;
  PlaceTable table(places);
  CallRecord crashed = logging(true);
  EXPECT_FALSE(ends_at_crash(crashed, target(46, FindingKind::signal), table));  // it went on
  crashed.events.resize(4);
  EXPECT_TRUE(ends_at_crash(crashed, target(46, FindingKind::signal), table));
  EXPECT_FALSE(ends_at_crash(crashed, target(45, FindingKind::signal), table));
}

TEST(PsStack, SaysHowFarItGot) {
  Places places;
  PlaceTable table(places);
  CrashTarget crash = target(46, FindingKind::signal);
  crash.places.insert(crash.places.begin(), {"app::Filter::passes", "logger.cpp", 3});
  EXPECT_EQ(reach_of(logging(true), crash, table).depth, 2U);
}

}  // namespace
}  // namespace ravel
