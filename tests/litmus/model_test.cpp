// SPDX-License-Identifier: Apache-2.0
// The oracle on its own: counts derived by hand, rules of the standard one by one, and theorems about the model that
// must hold for any program, on programs made at random. The verdicts on known shapes are in shapes_test.cpp.
#include "tests/litmus/model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>

#include "tests/litmus/view_machine.h"

namespace ravel::litmus {
namespace {

std::size_t allowed(const Program& program) { return judge(program).allowed.size(); }

bool allows(const Program& program, const std::vector<Term>& terms) {
  const Verdict verdict = judge(program);
  return std::any_of(verdict.allowed.begin(), verdict.allowed.end(), [&](const Outcome& outcome) {
    return std::all_of(terms.begin(), terms.end(), [&](const Term& term) { return outcome.satisfies(term); });
  });
}

std::string text_of(const Program& program) {
  std::string text;
  for (const Task& task : program) {
    text += "|| ";
    for (const Operation& operation : task) {
      if (operation.only) text += "if r" + std::to_string(operation.only->index) + " ";
      text += std::to_string(static_cast<int>(operation.kind)) + "(" + std::to_string(operation.location) + "," +
              std::to_string(operation.value) + "," + std::to_string(static_cast<int>(operation.order)) + ") ";
    }
  }
  return text;
}

// --- counts ---------------------------------------------------------------------------------------------------------

TEST(Counts, OneTaskHasOneOutcome) {
  EXPECT_EQ(allowed({{x.store(1, rlx), r0 = x.load(rlx), y.store(2, rlx), r1 = y.load(rlx)}}), 1U);
}

TEST(Counts, RelaxedLoadsOfTwoLocationsAreFree) {
  // Each of the loads reads 0 or 1: 2 * 2, and 2^4 with four of them.
  EXPECT_EQ(allowed({{x.store(1, rlx), y.store(1, rlx)}, {r0 = y.load(rlx), r1 = x.load(rlx)}}), 4U);
  EXPECT_EQ(allowed({{x.store(1, rlx)},
                     {y.store(1, rlx)},
                     {r0 = x.load(rlx), r1 = y.load(rlx)},
                     {r2 = y.load(rlx), r3 = x.load(rlx)}}),
            16U);
}

TEST(Counts, CoherenceMakesLoadsOfOneLocationMonotone) {
  // n loads of a location that takes the values 0, 1 in this order: n + 1 places for the change.
  EXPECT_EQ(allowed({{x.store(1, rlx)}, {r0 = x.load(rlx), r1 = x.load(rlx)}}), 3U);
  EXPECT_EQ(allowed({{x.store(1, rlx)}, {r0 = x.load(rlx), r1 = x.load(rlx), r2 = x.load(rlx)}}), 4U);
  // 0, 1, 2 in this order and two loads: pairs with first <= second, 3 + 2 + 1.
  EXPECT_EQ(allowed({{x.store(1, rlx), x.store(2, rlx)}, {r0 = x.load(rlx), r1 = x.load(rlx)}}), 6U);
}

TEST(Counts, ReadModifyWritesOfOneLocationAreAPermutation) {
  // Each reads how many came before it: 3!.
  EXPECT_EQ(allowed({{r0 = x.fetch_add(1, rlx)}, {r1 = x.fetch_add(1, rlx)}, {r2 = x.fetch_add(1, rlx)}}), 6U);
  // Two each, each task's own in order: 4 over 2.
  EXPECT_EQ(allowed({{r0 = x.fetch_add(1, rlx), r1 = x.fetch_add(1, rlx)},
                     {r2 = x.fetch_add(1, rlx), r3 = x.fetch_add(1, rlx)}}),
            6U);
}

TEST(Counts, StoresOfDifferentTasksEndInAnyOrder) {
  // Any of three stores is last on x, any of two on y.
  EXPECT_EQ(allowed({{x.store(1, rlx), y.store(1, rlx)}, {x.store(2, rlx), y.store(2, rlx)}, {x.store(3, rlx)}}), 6U);
}

// --- rules ----------------------------------------------------------------------------------------------------------

TEST(Rules, FinalValueIsLastInModificationOrderNotLastPerformed) {
  // 2+2W: no interleaving ends so.
  const Program program = {{x.store(1, rlx), y.store(2, rlx)}, {y.store(1, rlx), x.store(2, rlx)}};
  EXPECT_TRUE(allows(program, {x == 1, y == 1}));
  const Outcomes simple = judge(program).interleavings;
  EXPECT_TRUE(std::none_of(simple.begin(), simple.end(),
                           [](const Outcome& end) { return end.satisfies(x == 1) && end.satisfies(y == 1); }));
}

TEST(Rules, GuardThatIsFalseRemovesItsOperation) {
  const Program program = {{r0 = x.load(rlx), only_if(r0 == 1, r1 = y.load(rlx)), only_if(r0 == 1, y.store(2, rlx))},
                           {x.store(1, rlx)}};
  EXPECT_TRUE(allows(program, {r0 == 0, r1 == not_reached, y == 0}));
  EXPECT_TRUE(allows(program, {r0 == 1, r1 == 0, y == 2}));
  EXPECT_EQ(allowed(program), 2U);
}

TEST(Rules, FailedCompareExchangeWritesNothingAndIsReadByNobody) {
  const Program program = {{r0 = x.compare_exchange(5, 7, rlx, rlx)}, {r1 = x.load(rlx)}};
  EXPECT_EQ(allowed(program), 1U);
  EXPECT_TRUE(allows(program, {r0 == 0, r1 == 0, x == 0}));
}

TEST(Rules, ValuesOutOfThinAirAreLeftOut) {
  // Each task hands on what it read; with a cycle any value would be its own reason.
  const Program program = {{r0 = x.load(rlx), only_if(r0 == 1, y.store(1, rlx))},
                           {r1 = y.load(rlx), only_if(r1 == 1, x.store(1, rlx))}};
  EXPECT_EQ(allowed(program), 1U);
}

TEST(Rules, AcquireFenceCoversEveryLoadBeforeIt) {
  // Two flags, one fence: reading either flag is enough.
  const Program program = {{x.store(1, rlx), y.store(1, rel)},
                           {z.store(1, rlx), w.store(1, rel)},
                           {r0 = y.load(rlx), r1 = w.load(rlx), fence(acq), r2 = x.load(rlx), r3 = z.load(rlx)}};
  EXPECT_FALSE(allows(program, {r0 == 1, r2 == 0}));
  EXPECT_FALSE(allows(program, {r1 == 1, r3 == 0}));
  EXPECT_TRUE(allows(program, {r0 == 1, r1 == 0, r2 == 1, r3 == 0}));
}

TEST(Rules, ReleaseFenceCoversStoresBehindItOnly) {
  const Program program = {{x.store(1, rlx), y.store(1, rlx), fence(rel), z.store(1, rlx)},
                           {r0 = y.load(acq), r1 = x.load(rlx)},
                           {r2 = z.load(acq), r3 = x.load(rlx)}};
  EXPECT_TRUE(allows(program, {r0 == 1, r1 == 0}));
  EXPECT_FALSE(allows(program, {r2 == 1, r3 == 0}));
}

TEST(Rules, ReadsOfAReadModifyWriteSynchroniseWithEveryHeadBehindIt) {
  // Two releases, one relaxed fetch_add behind each other: the reader of the end sees both data.
  const Program program = {{x.store(1, rlx), y.fetch_add(1, rel)},
                           {z.store(1, rlx), y.fetch_add(1, rel)},
                           {r0 = y.load(acq), r1 = x.load(rlx), r2 = z.load(rlx)}};
  EXPECT_FALSE(allows(program, {r0 == 2, r1 == 0}));
  EXPECT_FALSE(allows(program, {r0 == 2, r2 == 0}));
}

TEST(Rules, SeqCstOperationsNeedAWholeCycleInS) {
  // Message passing with only the two ends in S is not ordered by S alone: see MP.sc-data.
  const Program program = {{x.store(1, sc), y.store(1, rlx)}, {r0 = y.load(rlx), r1 = x.load(sc)}};
  EXPECT_TRUE(allows(program, {r0 == 1, r1 == 0}));
}

TEST(Rules, MalformedProgramsAreRefused) {
  EXPECT_THROW(judge({{x.load(rel)}}), std::invalid_argument);
  EXPECT_THROW(judge({{x.store(1, acq)}}), std::invalid_argument);
  EXPECT_THROW(judge({{x.compare_exchange(0, 1, sc, rel)}}), std::invalid_argument);
  EXPECT_THROW(judge({{r0 = x.load(rlx)}, {r0 = x.load(rlx)}}), std::invalid_argument);
  EXPECT_THROW(judge({{r0 = x.load(rlx)}, {only_if(r0 == 1, x.store(1, rlx))}}), std::invalid_argument);
  EXPECT_THROW(judge({Task(40, x.store(1, rlx))}), std::length_error);
}

TEST(Text, NamesRegistersThenLocations) {
  const Program program = {{y.store(3, rlx)}, {r2 = y.load(rlx)}};
  const Outcomes outcomes = judge(program).allowed;
  ASSERT_EQ(outcomes.size(), 2U);
  EXPECT_EQ(to_text(names_in(program), *outcomes.begin()), "r2=0 y=3");
}

// --- theorems, on programs made at random
// -----------------------------------------------------------------------------

class AnyProgram {
 public:
  explicit AnyProgram(unsigned seed) : random_(seed) {}

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  // Every store writes a value of its own, so that an outcome tells where it came from.
  Program make(int tasks, int operations, int locations, const std::function<Order(Kind)>& order) {
    Program program(tasks);
    int value = 0;
    int next_register = 0;
    for (Task& task : program) {
      int last_register = -1;
      for (int i = 0; i < operations; ++i) {
        const Location at{below(locations)};
        Operation operation = pick(at, ++value, order);
        if (last_register >= 0 && below(6) == 0) operation.only = Register{last_register} == 0;
        if (operation.reads() && next_register < max_registers) {
          operation.result = next_register++;
          // A register that a guarded operation may leave unset is no use in a guard.
          if (!operation.only) last_register = operation.result;
        }
        task.push_back(operation);
      }
    }
    return program;
  }

 private:
  Operation pick(Location at, int value, const std::function<Order(Kind)>& order) {
    switch (below(10)) {
      case 0:
        return at.fetch_add(10, order(Kind::fetch_add));
      case 1:
        return at.exchange(value, order(Kind::exchange));
      case 2:
        return at.compare_exchange(0, value, order(Kind::compare_exchange), order(Kind::load));
      case 3:
        return fence(order(Kind::fence));
      case 4:
      case 5:
      case 6:
        return at.store(value, order(Kind::store));
      default:
        return at.load(order(Kind::load));
    }
  }

  std::mt19937 random_;
};

Order weaker_or_equal(AnyProgram& any, Kind kind, bool seq_cst) {
  if (seq_cst && any.below(3) == 0) return sc;
  switch (kind) {
    case Kind::load:
      return any.below(2) == 0 ? rlx : acq;
    case Kind::store:
      return any.below(2) == 0 ? rlx : rel;
    default: {
      const Order all[] = {rlx, acq, rel, acqrel};
      return all[any.below(4)];
    }
  }
}

// Two tasks of four operations or three of three: the sizes at which the shapes that matter exist.
Program any_size(AnyProgram& any, int locations, const std::function<Order(Kind)>& order) {
  return any.below(2) == 0 ? any.make(2, 4, locations, order) : any.make(3, 3, locations, order);
}

TEST(Theorems, SeqCstEverywhereIsInterleaving) {
  AnyProgram any(1);
  for (int i = 0; i < 150; ++i) {
    const Program program = any_size(any, 2, [](Kind) { return sc; });
    const Verdict verdict = judge(program);
    EXPECT_EQ(verdict.allowed, verdict.interleavings) << text_of(program);
    EXPECT_EQ(verdict.engine, verdict.interleavings) << text_of(program);
  }
}

TEST(Theorems, SeqCstFencesBetweenRelaxedOperationsAreInterleaving) {
  AnyProgram any(2);
  for (int i = 0; i < 200; ++i) {
    const int tasks = 2 + any.below(2);
    Program program = any.make(tasks, 5 - tasks, 2, [](Kind kind) { return kind == Kind::fence ? sc : rlx; });
    for (Task& task : program) {
      for (std::size_t at = 1; at < task.size(); at += 2) {
        task.insert(task.begin() + static_cast<std::ptrdiff_t>(at), fence(sc));
      }
    }
    const Verdict verdict = judge(program);
    EXPECT_EQ(verdict.allowed, verdict.interleavings) << text_of(program);
    EXPECT_EQ(verdict.engine, verdict.interleavings) << text_of(program);
  }
}

TEST(Theorems, OneLocationIsInterleavingWhateverTheOrders) {
  AnyProgram any(3);
  for (int i = 0; i < 200; ++i) {
    const int tasks = 2 + any.below(2);
    const Program program = any.make(tasks, 5 - tasks, 1, [&](Kind kind) { return weaker_or_equal(any, kind, true); });
    const Verdict verdict = judge(program);
    EXPECT_EQ(verdict.allowed, verdict.interleavings) << text_of(program);
    EXPECT_EQ(verdict.engine, verdict.interleavings) << text_of(program);
  }
}

TEST(Theorems, EachModelContainsTheStrongerOnes) {
  AnyProgram any(4);
  for (int i = 0; i < 300; ++i) {
    const Program program = any_size(any, 3, [&](Kind kind) { return weaker_or_equal(any, kind, true); });
    const Verdict verdict = judge(program);
    EXPECT_TRUE(std::ranges::includes(verdict.allowed, verdict.engine)) << text_of(program);
    EXPECT_TRUE(std::ranges::includes(verdict.engine, verdict.interleavings)) << text_of(program);
  }
}

TEST(Theorems, StrongerOrdersNeverAddOutcomes) {
  AnyProgram any(5);
  for (int i = 0; i < 300; ++i) {
    const Program program = any_size(any, 2, [&](Kind kind) { return weaker_or_equal(any, kind, true); });
    Program stronger = program;
    Task& task = stronger[any.below(static_cast<int>(stronger.size()))];
    task[any.below(static_cast<int>(task.size()))].order = sc;
    const Verdict weak = judge(program);
    const Verdict strong = judge(stronger);
    EXPECT_TRUE(std::ranges::includes(weak.allowed, strong.allowed)) << text_of(stronger);
    EXPECT_TRUE(std::ranges::includes(weak.engine, strong.engine)) << text_of(stronger);
  }
}

TEST(Theorems, WithoutSeqCstNothingIsLeftOut) {
  AnyProgram any(6);
  for (int i = 0; i < 300; ++i) {
    const Program program = any_size(any, 2, [&](Kind kind) { return weaker_or_equal(any, kind, false); });
    const Verdict verdict = judge(program);
    EXPECT_EQ(verdict.allowed, verdict.engine) << text_of(program);
  }
}

// Two descriptions of the model that share no code: rules over finished executions, and views performed step by step.
TEST(Theorems, MachineWithViewsAgrees) {
  AnyProgram any(7);
  for (int i = 0; i < 150; ++i) {
    const int tasks = 2 + any.below(2);
    const Program program = any.make(tasks, tasks == 2 ? 4 : 2 + any.below(2), 2, [&](Kind kind) {
      return kind == Kind::fence && any.below(2) == 0 ? sc : weaker_or_equal(any, kind, false);
    });
    EXPECT_EQ(perform_with_views(program), judge(program).engine) << text_of(program);
  }
}

}  // namespace
}  // namespace ravel::litmus
