// SPDX-License-Identifier: Apache-2.0
//
// How to read a derivation. W(x) and R(x) are a store to and a load of x, F a fence, U a read-modify-write; "->" is
// happens-before, "<" the order S of seq_cst operations, mo the modification order of a location. A load that misses a
// store is coherence-ordered before it. The rules named:
//   coherence  what happens before is never coherence-ordered after ([intro.races]/15-18)
//   S-op       two seq_cst operations in coherence order, or strongly happening before, are in that order in S
//   S-fence    a seq_cst fence before (after) an operation stands for it in S ([atomics.order]/4.2-4.4)
//   sw         release store, or release fence before a store, synchronises with the acquire load, or load before an
//              acquire fence, that reads it or a read-modify-write behind it (the release sequence)
#include "tests/litmus/shapes.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ravel::litmus {
namespace {

constexpr Says allowed = Says::allowed;
constexpr Says forbidden = Says::forbidden;
constexpr Says not_shown = Says::not_shown;

class Table {
 public:
  void add(std::string name, Program program, std::vector<Term> outcome, Says says) {
    rows.push_back({std::move(name), std::move(program), {std::move(outcome)}, says});
  }
  void add_any(std::string name, Program program, std::vector<std::vector<Term>> outcome, Says says) {
    rows.push_back({std::move(name), std::move(program), std::move(outcome), says});
  }
  std::vector<Shape> rows;
};

// Store buffering: each task stores to one location and loads the other. Can both loads miss the other's store?
void store_buffering(Table& table) {
  const std::vector<Term> both_miss = {r0 == 0, r1 == 0};
  // Nothing orders a relaxed store before a later load of another location.
  table.add("SB.rlx", {{x.store(1, rlx), r0 = y.load(rlx)}, {y.store(1, rlx), r1 = x.load(rlx)}}, both_miss, allowed);
  // Neither load reads a release store, so nothing synchronises.
  table.add("SB.rel-acq", {{x.store(1, rel), r0 = y.load(acq)}, {y.store(1, rel), r1 = x.load(acq)}}, both_miss,
            allowed);
  // W(x) < R(y) < W(y) < R(x) < W(x), by S-op: a cycle.
  table.add("SB.sc", {{x.store(1, sc), r0 = y.load(sc)}, {y.store(1, sc), r1 = x.load(sc)}}, both_miss, forbidden);
  // Only the stores are in S; nothing asks for an order of W(x) and W(y).
  table.add("SB.sc-stores", {{x.store(1, sc), r0 = y.load(rlx)}, {y.store(1, sc), r1 = x.load(rlx)}}, both_miss,
            allowed);
  // Only the loads are in S. R(y) is before W(y) in coherence order, but W(y) is not in S, and no fence stands for it.
  table.add("SB.sc-loads", {{x.store(1, rlx), r0 = y.load(sc)}, {y.store(1, rlx), r1 = x.load(sc)}}, both_miss,
            allowed);
  // W(x) < R(y) is all that S says.
  table.add("SB.sc-one-task", {{x.store(1, sc), r0 = y.load(sc)}, {y.store(1, rlx), r1 = x.load(rlx)}}, both_miss,
            allowed);
  // S-fence, both ways: R(y) missed W(y), so F0 < F1; R(x) missed W(x), so F1 < F0.
  table.add("SB.fences-sc",
            {{x.store(1, rlx), fence(sc), r0 = y.load(rlx)}, {y.store(1, rlx), fence(sc), r1 = x.load(rlx)}}, both_miss,
            forbidden);
  // F0 has no partner in S to be ordered with.
  table.add("SB.fence-sc-one-task",
            {{x.store(1, rlx), fence(sc), r0 = y.load(rlx)}, {y.store(1, rel), r1 = x.load(acq)}}, both_miss, allowed);
  // F0 < W(y) (R(y) missed it), W(y) < R(x) (sequenced), R(x) < F0 (it missed W(x) -> F0): a cycle of fence and
  // operations.
  table.add("SB.fence-sc-against-sc",
            {{x.store(1, rlx), fence(sc), r0 = y.load(rlx)}, {y.store(1, sc), r1 = x.load(sc)}}, both_miss, forbidden);
  // An acq_rel read-modify-write acquires only from what it reads: here the initial value.
  table.add("SB.exchange-acqrel",
            {{r2 = x.exchange(1, acqrel), r0 = y.load(acq)}, {r3 = y.exchange(1, acqrel), r1 = x.load(acq)}}, both_miss,
            allowed);
  // A seq_cst read-modify-write is no fence: the relaxed loads behind it are not in S.
  table.add("SB.exchange-sc-loads-rlx",
            {{r2 = x.exchange(1, sc), r0 = y.load(rlx)}, {r3 = y.exchange(1, sc), r1 = x.load(rlx)}}, both_miss,
            allowed);
  // Loads made as read-modify-writes of 0. Say U(y) of T0 read 0, so it precedes W(y) of T1 in mo and, being a
  // read-modify-write, may be read by nobody else: W(y) does not read it. Still nothing synchronises: allowed.
  table.add("SB.fetch_add-loads",
            {{x.store(1, rel), r0 = y.fetch_add(0, acqrel)}, {y.store(1, rel), r1 = x.fetch_add(0, acqrel)}}, both_miss,
            allowed);
  // Everything a read-modify-write: the later of the two on y (or x) in mo reads the earlier and synchronises with it.
  // U0(y) read 0, so U1(y) reads U0(y): x = 1 -> U0(y) -> U1(y) -> U1(x), which must not miss it.
  table.add(
      "SB.all-fetch_add",
      {{x.fetch_add(1, acqrel), r0 = y.fetch_add(0, acqrel)}, {y.fetch_add(1, acqrel), r1 = x.fetch_add(0, acqrel)}},
      both_miss, forbidden);
  // Each task reads its own store first. That is no synchronisation (same task), and the loads are not in S.
  table.add(
      "SB.read-own-store",
      {{x.store(1, sc), r2 = x.load(acq), r0 = y.load(acq)}, {y.store(1, sc), r3 = y.load(acq), r1 = x.load(acq)}},
      {r2 == 1, r0 == 0, r3 == 1, r1 == 0}, allowed);
  // Three tasks in a ring; the cycle in S is longer, and still a cycle.
  table.add("SB.three-sc",
            {{x.store(1, sc), r0 = y.load(sc)}, {y.store(1, sc), r1 = z.load(sc)}, {z.store(1, sc), r2 = x.load(sc)}},
            {r0 == 0, r1 == 0, r2 == 0}, forbidden);
}

// Message passing: data in x, flag in y. Can a task see the flag and miss the data?
void message_passing(Table& table) {
  const std::vector<Term> flag_without_data = {r0 == 1, r1 == 0};
  // No release, no acquire, no sw.
  table.add("MP.rlx", {{x.store(1, rlx), y.store(1, rlx)}, {r0 = y.load(rlx), r1 = x.load(rlx)}}, flag_without_data,
            allowed);
  // A release store that no acquire reads does not synchronise.
  table.add("MP.rel-rlx", {{x.store(1, rlx), y.store(1, rel)}, {r0 = y.load(rlx), r1 = x.load(rlx)}}, flag_without_data,
            allowed);
  // An acquire load of a relaxed store does not synchronise.
  table.add("MP.rlx-acq", {{x.store(1, rlx), y.store(1, rlx)}, {r0 = y.load(acq), r1 = x.load(rlx)}}, flag_without_data,
            allowed);
  // sw: W(x) -> W(y) -> R(y) -> R(x); missing W(x) would break coherence.
  table.add("MP.rel-acq", {{x.store(1, rlx), y.store(1, rel)}, {r0 = y.load(acq), r1 = x.load(rlx)}}, flag_without_data,
            forbidden);
  // As rel-acq; S adds nothing.
  table.add("MP.sc", {{x.store(1, sc), y.store(1, sc)}, {r0 = y.load(sc), r1 = x.load(sc)}}, flag_without_data,
            forbidden);
  // The flag alone is seq_cst, which includes release and acquire.
  table.add("MP.sc-flag", {{x.store(1, rlx), y.store(1, sc)}, {r0 = y.load(sc), r1 = x.load(rlx)}}, flag_without_data,
            forbidden);
  // The order of the data says nothing about the flag, so nothing synchronises and R(x) < W(x) is the whole of S. It
  // runs against the way values flow: W(x), W(y), R(y), R(x). No one order of all operations has both; Ravel leaves it
  // out.
  table.add("MP.sc-data", {{x.store(1, sc), y.store(1, rlx)}, {r0 = y.load(rlx), r1 = x.load(sc)}}, flag_without_data,
            not_shown);
  // W(x) < W(y) in S, but relaxed loads are neither in S nor ordered.
  table.add("MP.sc-stores-rlx-loads", {{x.store(1, sc), y.store(1, sc)}, {r0 = y.load(rlx), r1 = x.load(rlx)}},
            flag_without_data, allowed);
  // Release fence, then the relaxed store of the flag: sw from the fence.
  table.add("MP.fence_rel-acq", {{x.store(1, rlx), fence(rel), y.store(1, rlx)}, {r0 = y.load(acq), r1 = x.load(rlx)}},
            flag_without_data, forbidden);
  // Relaxed load of the flag, then an acquire fence: sw to the fence.
  table.add("MP.rel-fence_acq", {{x.store(1, rlx), y.store(1, rel)}, {r0 = y.load(rlx), fence(acq), r1 = x.load(rlx)}},
            flag_without_data, forbidden);
  // sw from fence to fence.
  table.add("MP.fence_rel-fence_acq",
            {{x.store(1, rlx), fence(rel), y.store(1, rlx)}, {r0 = y.load(rlx), fence(acq), r1 = x.load(rlx)}},
            flag_without_data, forbidden);
  // One fence alone has no partner.
  table.add("MP.fence_rel-rlx", {{x.store(1, rlx), fence(rel), y.store(1, rlx)}, {r0 = y.load(rlx), r1 = x.load(rlx)}},
            flag_without_data, allowed);
  table.add("MP.rlx-fence_acq", {{x.store(1, rlx), y.store(1, rlx)}, {r0 = y.load(rlx), fence(acq), r1 = x.load(rlx)}},
            flag_without_data, allowed);
  // The wrong fences: an acquire fence releases nothing, a release fence acquires nothing.
  table.add("MP.fence_acq-fence_rel",
            {{x.store(1, rlx), fence(acq), y.store(1, rlx)}, {r0 = y.load(rlx), fence(rel), r1 = x.load(rlx)}},
            flag_without_data, allowed);
  // The right fences in the wrong places: after the flag's store, before the flag's load.
  table.add("MP.fences-misplaced",
            {{x.store(1, rlx), y.store(1, rlx), fence(rel)}, {fence(acq), r0 = y.load(rlx), r1 = x.load(rlx)}},
            flag_without_data, allowed);
  // A seq_cst fence is release and acquire.
  table.add("MP.fences-sc",
            {{x.store(1, rlx), fence(sc), y.store(1, rlx)}, {r0 = y.load(rlx), fence(sc), r1 = x.load(rlx)}},
            flag_without_data, forbidden);
  // The flag is written and read by read-modify-writes with just the orders needed.
  table.add("MP.exchange_rel-fetch_add_acq",
            {{x.store(1, rlx), y.exchange(1, rel)}, {r0 = y.fetch_add(0, acq), r1 = x.load(rlx)}}, flag_without_data,
            forbidden);
  // A control dependency orders nothing in C++.
  table.add("MP.rlx-guarded",
            {{x.store(1, rlx), y.store(1, rlx)}, {r0 = y.load(rlx), only_if(r0 == 1, r1 = x.load(rlx))}},
            flag_without_data, allowed);
  // The same with the acquire fence only where the flag was seen.
  table.add("MP.guarded-fence",
            {{x.store(1, rlx), y.store(1, rel)},
             {r0 = y.load(rlx), only_if(r0 == 1, fence(acq)), only_if(r0 == 1, r1 = x.load(rlx))}},
            flag_without_data, forbidden);
}

// Independent reads of independent writes: two readers disagree about which store came first.
void independent_reads(Table& table) {
  const std::vector<Term> disagree = {r0 == 1, r1 == 0, r2 == 1, r3 == 0};
  auto iriw = [](Order store, Order first, Order second) -> Program {
    return {{x.store(1, store)},
            {y.store(1, store)},
            {r0 = x.load(first), r1 = y.load(second)},
            {r2 = y.load(first), r3 = x.load(second)}};
  };
  // No order at all.
  table.add("IRIW.rlx", iriw(rlx, rlx, rlx), disagree, allowed);
  // W(x) -> R(x) of T2, W(y) -> R(y) of T3: neither says anything about the other location. C++ is not multi-copy
  // atomic without seq_cst.
  table.add("IRIW.rel-acq", iriw(rel, acq, acq), disagree, allowed);
  // R2(x) < R2(y) < W(y) < R3(y) < R3(x) < W(x) < R2(x).
  table.add("IRIW.sc", iriw(sc, sc, sc), disagree, forbidden);
  // Seq_cst stores alone do not order the readers.
  table.add("IRIW.sc-stores", iriw(sc, acq, acq), disagree, allowed);
  // The loads alone are enough: R2(y) missed what R3(y) read, so R2(y) is coherence-ordered before R3(y) through W(y),
  // which need not be in S. R2(x) < R2(y) < R3(y) < R3(x) < R2(x).
  table.add("IRIW.sc-loads", iriw(rlx, sc, sc), disagree, forbidden);
  // Stores and second loads are seq_cst, first loads acquire: R2(y) < W(y) and R3(x) < W(x) is all. W(x) -> R2(y) is no
  // strongly-happens-before: it begins with W(x) itself, not with something sequenced before a release. Hence allowed,
  // as Power shows it. No one order of all operations has both S and reads-from: W(x), R2(x), R2(y) < W(y), R3(y),
  // R3(x) < W(x). Ravel leaves it out.
  table.add("IRIW.acq-sc", iriw(sc, acq, sc), disagree, not_shown);
  // S-fence: R2(y) missed W(y), which R3(y) read before F3: F2 < F3; and the other way round.
  table.add("IRIW.fences-sc",
            {{x.store(1, rlx)},
             {y.store(1, rlx)},
             {r0 = x.load(rlx), fence(sc), r1 = y.load(rlx)},
             {r2 = y.load(rlx), fence(sc), r3 = x.load(rlx)}},
            disagree, forbidden);
  // One fence has no partner.
  table.add("IRIW.fence-sc-one-reader",
            {{x.store(1, rel)},
             {y.store(1, rel)},
             {r0 = x.load(rlx), fence(sc), r1 = y.load(rlx)},
             {r2 = y.load(acq), r3 = x.load(acq)}},
            disagree, allowed);
  // Acquire-release fences order each reader's own loads only.
  table.add("IRIW.fences-acqrel",
            {{x.store(1, rel)},
             {y.store(1, rel)},
             {r0 = x.load(rlx), fence(acqrel), r1 = y.load(rlx)},
             {r2 = y.load(rlx), fence(acqrel), r3 = x.load(rlx)}},
            disagree, allowed);
}

// Coherence: one location behaves as if alone in the world, whatever the orders.
void coherence(Table& table) {
  // Read-read: the second load may not go back in mo.
  table.add("CoRR", {{x.store(1, rlx)}, {r0 = x.load(rlx), r1 = x.load(rlx)}}, {r0 == 1, r1 == 0}, forbidden);
  // Two stores, one reader: reading 1 after 2 and then 2 again needs 1 mo 2 and 2 mo 1.
  table.add("CoRR.back-and-forth",
            {{x.store(1, rlx)}, {x.store(2, rlx)}, {r0 = x.load(rlx), r1 = x.load(rlx), r2 = x.load(rlx)}},
            {r0 == 2, r1 == 1, r2 == 2}, forbidden);
  // Two readers agree on mo.
  table.add("CoRR.two-readers",
            {{x.store(1, rlx)},
             {x.store(2, rlx)},
             {r0 = x.load(rlx), r1 = x.load(rlx)},
             {r2 = x.load(rlx), r3 = x.load(rlx)}},
            {r0 == 1, r1 == 2, r2 == 2, r3 == 1}, forbidden);
  // Strong and weak loads of one location are still one location.
  table.add("CoRR.mixed-orders", {{x.store(1, rlx)}, {r0 = x.load(sc), r1 = x.load(rlx)}}, {r0 == 1, r1 == 0},
            forbidden);
  // Two stores of one task, read in the wrong order: 1 mo 2 by write-write, then read-read.
  table.add("CoRR.two-stores", {{x.store(1, rlx), x.store(2, rlx)}, {r0 = x.load(rlx), r1 = x.load(rlx)}},
            {r0 == 2, r1 == 1}, forbidden);
  // Write-read: T0 reads nothing before its own store in mo, so not the initial value; and if it reads 2 after its own
  // 1, then 1 mo 2, and 2 is the last value.
  table.add_any("CoWR", {{x.store(1, rlx), r0 = x.load(rlx)}, {x.store(2, rlx)}}, {{r0 == 0}, {r0 == 2, x == 1}},
                forbidden);
  // Each task reads the other's store after its own: 1 mo 2 and 2 mo 1.
  table.add("CoWR.cross", {{x.store(1, rlx), r0 = x.load(rlx)}, {x.store(2, rlx), r1 = x.load(rlx)}},
            {r0 == 2, r1 == 1}, forbidden);
  // Read-write: T0 read 2 before it stored 1, so 2 mo 1, and 1 is the last value.
  table.add("CoRW", {{r0 = x.load(rlx), x.store(1, rlx)}, {x.store(2, rlx)}}, {r0 == 2, x == 2}, forbidden);
  // Each task reads the other's store before its own: also a cycle of sequenced-before and reads-from.
  table.add("CoRW.cross", {{r0 = x.load(rlx), x.store(1, rlx)}, {r1 = x.load(rlx), x.store(2, rlx)}},
            {r0 == 2, r1 == 1}, forbidden);
  // Write-write: stores of one task are in mo as sequenced.
  table.add("CoWW", {{x.store(1, rlx), x.store(2, rlx)}, {x.store(3, rlx)}}, {x == 1}, forbidden);
  // Write-write across tasks: 1 -> 2 by sw on y, so 1 mo 2.
  table.add("CoWW.sw", {{x.store(1, rlx), y.store(1, rel)}, {r0 = y.load(acq), x.store(2, rlx)}}, {r0 == 1, x == 1},
            forbidden);
  // Nothing orders the stores of two tasks: both last values, both ways round.
  table.add("CoWW.free", {{x.store(1, rlx)}, {x.store(2, rlx)}, {r0 = x.load(rlx)}}, {r0 == 2, x == 1}, allowed);
}

// Chains over three tasks.
void causality(Table& table) {
  // Write-to-read causality: T1 sees x and tells T2 through y.
  const std::vector<Term> wrc = {r0 == 1, r1 == 1, r2 == 0};
  // No sw anywhere.
  table.add("WRC.rlx", {{x.store(1, rlx)}, {r0 = x.load(rlx), y.store(1, rlx)}, {r1 = y.load(rlx), r2 = x.load(rlx)}},
            wrc, allowed);
  // sw on y: R1(x) -> R2(x), so R2(x) may not read before what R1(x) read (coherence, read-read). W(x) may be relaxed.
  table.add("WRC.rel-acq",
            {{x.store(1, rlx)}, {r0 = x.load(rlx), y.store(1, rel)}, {r1 = y.load(acq), r2 = x.load(rlx)}}, wrc,
            forbidden);
  // Acquire loads of relaxed stores.
  table.add("WRC.acq-only",
            {{x.store(1, rlx)}, {r0 = x.load(acq), y.store(1, rlx)}, {r1 = y.load(acq), r2 = x.load(acq)}}, wrc,
            allowed);
  // W(x) -> R1(x), but the second link is missing.
  table.add("WRC.first-link-only",
            {{x.store(1, rel)}, {r0 = x.load(acq), y.store(1, rlx)}, {r1 = y.load(rlx), r2 = x.load(rlx)}}, wrc,
            allowed);
  // Fences make the second link.
  table.add("WRC.fences",
            {{x.store(1, rlx)},
             {r0 = x.load(rlx), fence(rel), y.store(1, rlx)},
             {r1 = y.load(rlx), fence(acq), r2 = x.load(rlx)}},
            wrc, forbidden);

  // Write-to-write causality: as WRC, with a store at the end that must come behind what T1 saw.
  const std::vector<Term> wwc = {r0 == 2, r1 == 1, x == 2};
  table.add("WWC.rlx", {{x.store(2, rlx)}, {r0 = x.load(rlx), y.store(1, rlx)}, {r1 = y.load(rlx), x.store(1, rlx)}},
            wwc, allowed);
  // R1(x) -> W2(x), so what R1(x) read is before it in mo (coherence, read-write).
  table.add("WWC.rel-acq",
            {{x.store(2, rlx)}, {r0 = x.load(rlx), y.store(1, rel)}, {r1 = y.load(acq), x.store(1, rlx)}}, wwc,
            forbidden);

  // ISA2: two hops of message passing.
  const std::vector<Term> isa2 = {r0 == 1, r1 == 1, r2 == 0};
  table.add(
      "ISA2.rlx",
      {{x.store(1, rlx), y.store(1, rlx)}, {r0 = y.load(rlx), z.store(1, rlx)}, {r1 = z.load(rlx), r2 = x.load(rlx)}},
      isa2, allowed);
  // sw is transitive: W(x) -> W(y) -> R(y) -> W(z) -> R(z) -> R(x).
  table.add(
      "ISA2.rel-acq",
      {{x.store(1, rlx), y.store(1, rel)}, {r0 = y.load(acq), z.store(1, rel)}, {r1 = z.load(acq), r2 = x.load(rlx)}},
      isa2, forbidden);
  // The middle task does not acquire.
  table.add(
      "ISA2.middle-rlx",
      {{x.store(1, rlx), y.store(1, rel)}, {r0 = y.load(rlx), z.store(1, rel)}, {r1 = z.load(acq), r2 = x.load(rlx)}},
      isa2, allowed);
  // The middle task does not release.
  table.add(
      "ISA2.middle-acq",
      {{x.store(1, rlx), y.store(1, rel)}, {r0 = y.load(acq), z.store(1, rlx)}, {r1 = z.load(acq), r2 = x.load(rlx)}},
      isa2, allowed);
  // One acq_rel fence in the middle is both the acquire of the first hop and the release of the second.
  table.add("ISA2.middle-fence",
            {{x.store(1, rlx), y.store(1, rel)},
             {r0 = y.load(rlx), fence(acqrel), z.store(1, rlx)},
             {r1 = z.load(acq), r2 = x.load(rlx)}},
            isa2, forbidden);

  // Read-to-write causality: T1 saw x and missed y; T2 stored y and missed x.
  const std::vector<Term> rwc = {r0 == 1, r1 == 0, r2 == 0};
  // W(x) -> R1(x) -> R1(y), which missed W(y): nothing is said about R2(x).
  table.add("RWC.rel-acq",
            {{x.store(1, rel)}, {r0 = x.load(acq), r1 = y.load(acq)}, {y.store(1, rel), r2 = x.load(acq)}}, rwc,
            allowed);
  // R1(x) < R1(y) < W(y) < R2(x) < W(x) < R1(x).
  table.add("RWC.sc", {{x.store(1, sc)}, {r0 = x.load(sc), r1 = y.load(sc)}, {y.store(1, sc), r2 = x.load(sc)}}, rwc,
            forbidden);
  // S-fence: R1(y) missed W(y) -> F2, so F1 < F2. R2(x) missed W(x), which R1(x) -> F1 read, so F2 < F1.
  table.add("RWC.fences-sc",
            {{x.store(1, rlx)},
             {r0 = x.load(rlx), fence(sc), r1 = y.load(rlx)},
             {y.store(1, rlx), fence(sc), r2 = x.load(rlx)}},
            rwc, forbidden);

  // W+RWC: as RWC, with T1 told of x through y; the second location is z.
  table.add(
      "W+RWC.rel-acq",
      {{x.store(1, rlx), y.store(1, rel)}, {r0 = y.load(acq), r1 = z.load(acq)}, {z.store(1, rel), r2 = x.load(acq)}},
      rwc, allowed);
  // W(x) -> F1 by sw on y. R1(z) missed W(z): F1 < F2. R2(x) missed W(x) -> F1: F2 < F1.
  table.add("W+RWC.fences-sc",
            {{x.store(1, rlx), y.store(1, rel)},
             {r0 = y.load(acq), fence(sc), r1 = z.load(rlx)},
             {z.store(1, rlx), fence(sc), r2 = x.load(rlx)}},
            rwc, forbidden);
  // The fence in the task that tells instead of the one that is told: F0 -> R1(z) by sw on y, which missed W(z) -> F2,
  // so F0 < F2; R2(x) missed W(x) -> F0, so F2 < F0. A fence stands for whatever it happens before, in any task.
  table.add("W+RWC.fence-sc-first-task",
            {{x.store(1, rlx), fence(sc), y.store(1, rel)},
             {r0 = y.load(acq), r1 = z.load(rlx)},
             {z.store(1, rlx), fence(sc), r2 = x.load(rlx)}},
            rwc, forbidden);
  // Seq_cst on x and z only, release and acquire on y. W(x) is sequenced before W(y) -> R(y) sequenced before R(z):
  // W(x) strongly happens before R(z). W(x) < R(z) < W(z) < R(x) < W(x).
  table.add("W+RWC.sc-and-rel-acq",
            {{x.store(1, sc), y.store(1, rel)}, {r0 = y.load(acq), r1 = z.load(sc)}, {z.store(1, sc), r2 = x.load(sc)}},
            rwc, forbidden);
}

// Shapes whose outcome is about modification order.
void writes(Table& table) {
  // 2+2W: two tasks store to two locations in opposite order, and both first stores win.
  const std::vector<Term> first_stores_win = {x == 1, y == 1};
  table.add("2+2W.rlx", {{x.store(1, rlx), y.store(2, rlx)}, {y.store(1, rlx), x.store(2, rlx)}}, first_stores_win,
            allowed);
  // No load, so no sw.
  table.add("2+2W.rel", {{x.store(1, rel), y.store(2, rel)}, {y.store(1, rel), x.store(2, rel)}}, first_stores_win,
            allowed);
  // 2 mo 1 on both: W0(x) < W0(y) < W1(y) < W1(x) < W0(x).
  table.add("2+2W.sc", {{x.store(1, sc), y.store(2, sc)}, {y.store(1, sc), x.store(2, sc)}}, first_stores_win,
            forbidden);
  // One task in S, the other not: W0(x) < W0(y) is all.
  table.add("2+2W.sc-one-task", {{x.store(1, sc), y.store(2, sc)}, {y.store(1, rel), x.store(2, rel)}},
            first_stores_win, allowed);
  // S-fence: F0 -> W0(y) mo W1(y) -> F1, so F0 < F1; and F1 -> W1(x) mo W0(x) -> F0, so F1 < F0.
  table.add("2+2W.fences-sc",
            {{x.store(1, rlx), fence(sc), y.store(2, rlx)}, {y.store(1, rlx), fence(sc), x.store(2, rlx)}},
            first_stores_win, forbidden);
  table.add("2+2W.fences-acqrel",
            {{x.store(1, rlx), fence(acqrel), y.store(2, rlx)}, {y.store(1, rlx), fence(acqrel), x.store(2, rlx)}},
            first_stores_win, allowed);
  // Exchanges: 2 mo 1 on x with U1(x) right before U0(x), so U0(x) reads U1(x), as U1(y) reads U0(y). U1(x) rf U0(x)
  // sequenced before U0(y) rf U1(y) sequenced before U1(x): a cycle of sequenced-before and reads-from.
  table.add("2+2W.exchange-rlx", {{x.exchange(1, rlx), y.exchange(2, rlx)}, {y.exchange(1, rlx), x.exchange(2, rlx)}},
            first_stores_win, forbidden);

  // R: T1's store to y wins over T0's, and T1 misses T0's store to x.
  const std::vector<Term> r = {y == 2, r0 == 0};
  table.add("R.rlx", {{x.store(1, rlx), y.store(1, rlx)}, {y.store(2, rlx), r0 = x.load(rlx)}}, r, allowed);
  // mo alone is no sw.
  table.add("R.rel-acq", {{x.store(1, rlx), y.store(1, rel)}, {y.store(2, rel), r0 = x.load(acq)}}, r, allowed);
  // W(x) < W0(y) < W1(y) < R(x) < W(x).
  table.add("R.sc", {{x.store(1, sc), y.store(1, sc)}, {y.store(2, sc), r0 = x.load(sc)}}, r, forbidden);
  // F0 -> W0(y) mo W1(y) -> F1: F0 < F1. F1 -> R(x) missed W(x) -> F0: F1 < F0.
  table.add("R.fences-sc",
            {{x.store(1, rlx), fence(sc), y.store(1, rlx)}, {y.store(2, rlx), fence(sc), r0 = x.load(rlx)}}, r,
            forbidden);
  // T0 releases instead: F1 has no partner.
  table.add("R.fence-sc-one-task", {{x.store(1, rlx), y.store(1, rel)}, {y.store(2, rlx), fence(sc), r0 = x.load(rlx)}},
            r, allowed);
  // As an exchange the second store reads the first and synchronises: W(x) -> W0(y) -> U1(y) -> R(x).
  table.add("R.exchange", {{x.store(1, rlx), y.store(1, rel)}, {r1 = y.exchange(2, acq), r0 = x.load(rlx)}}, r,
            forbidden);

  // S: T1 sees the flag, and its store to x still loses against the one before the flag.
  const std::vector<Term> s = {r0 == 1, x == 2};
  table.add("S.rlx", {{x.store(2, rlx), y.store(1, rlx)}, {r0 = y.load(rlx), x.store(1, rlx)}}, s, allowed);
  // W0(x) -> W1(x) by sw on y, so 2 mo 1 (coherence, write-write).
  table.add("S.rel-acq", {{x.store(2, rlx), y.store(1, rel)}, {r0 = y.load(acq), x.store(1, rlx)}}, s, forbidden);
  table.add("S.rel-rlx", {{x.store(2, rlx), y.store(1, rel)}, {r0 = y.load(rlx), x.store(1, rlx)}}, s, allowed);
  table.add("S.sc", {{x.store(2, sc), y.store(1, sc)}, {r0 = y.load(sc), x.store(1, sc)}}, s, forbidden);
  table.add("S.fences",
            {{x.store(2, rlx), fence(rel), y.store(1, rlx)}, {r0 = y.load(rlx), fence(acq), x.store(1, rlx)}}, s,
            forbidden);

  // Z6: T0's flag loses against T1's, T2 hears of T1 and misses T0's x.
  const std::vector<Term> z6 = {y == 2, r0 == 1, r1 == 0};
  // W0(y) mo W1(y) is no sw; only T1 -> T2.
  table.add(
      "Z6.rel-acq",
      {{x.store(1, rlx), y.store(1, rel)}, {y.store(2, rlx), z.store(1, rel)}, {r0 = z.load(acq), r1 = x.load(rlx)}},
      z6, allowed);
  // W(x) < W0(y) < W1(y) < W(z) < R(z) < R(x) < W(x).
  table.add("Z6.sc",
            {{x.store(1, sc), y.store(1, sc)}, {y.store(2, sc), z.store(1, sc)}, {r0 = z.load(sc), r1 = x.load(sc)}},
            z6, forbidden);

  // Load buffering. C++ allows it where everything is relaxed. The model of this suite asks sequenced-before and
  // reads-from to have no cycle, as every tool that performs the program does, and so leaves it out.
  const std::vector<Term> lb = {r0 == 1, r1 == 1};
  table.add("LB.rlx-left-out", {{r0 = x.load(rlx), y.store(1, rlx)}, {r1 = y.load(rlx), x.store(1, rlx)}}, lb,
            forbidden);
  // Here C++ forbids it too: W(y) -> R(y) -> W(x) -> R(x) -> W(y).
  table.add("LB.rel-acq", {{r0 = x.load(acq), y.store(1, rel)}, {r1 = y.load(acq), x.store(1, rel)}}, lb, forbidden);
}

// Dekker's entry: raise your flag, look at the other's, enter (count yourself in z) if it is down. With every
// combination of fences between the two. Mutual exclusion is broken where both enter.
void dekker(Table& table) {
  struct Fence {
    const char* name;
    std::optional<Order> order;
  };
  const Fence fences[] = {{"none", {}}, {"rel", rel}, {"acq", acq}, {"acqrel", acqrel}, {"sc", sc}};
  auto entry = [](Location mine, const Fence& between, Location other, Register seen, Register inside) {
    Task task = {mine.store(1, rlx)};
    if (between.order) task.push_back(fence(*between.order));
    task.push_back(seen = other.load(rlx));
    task.push_back(only_if(seen == 0, inside = z.fetch_add(1, rlx)));
    return task;
  };
  for (std::size_t first = 0; first < std::size(fences); ++first) {
    for (std::size_t second = first; second < std::size(fences); ++second) {
      const Fence& f0 = fences[first];
      const Fence& f1 = fences[second];
      // Both loads read the initial value, so nothing synchronises, whatever fences there are; the only relation left
      // is S, and that needs a seq_cst fence in both tasks (see SB.fences-sc and SB.fence-sc-one-task).
      const bool excluded = f0.order == sc && f1.order == sc;
      table.add(std::string("Dekker.") + f0.name + "." + f1.name, {entry(x, f0, y, r0, r2), entry(y, f1, x, r1, r3)},
                {z == 2}, excluded ? forbidden : allowed);
    }
  }
  // All seq_cst operations, no fence: SB.sc.
  table.add("Dekker.operations-sc",
            {{x.store(1, sc), r0 = y.load(sc), only_if(r0 == 0, r2 = z.fetch_add(1, rlx))},
             {y.store(1, sc), r1 = x.load(sc), only_if(r1 == 0, r3 = z.fetch_add(1, rlx))}},
            {z == 2}, forbidden);
}

// Peterson's entry: raise your flag (x for T0, y for T1), give the turn away (z = 1 by T0, z = 2 by T1), and enter if
// the other's flag is down or the turn came back.
void peterson(Table& table) {
  // T0 enters if r0 == 0 or r1 == 2; T1 enters if r2 == 0 or r3 == 1.
  const std::vector<std::vector<Term>> both_enter = {
      {r0 == 0, r2 == 0}, {r0 == 0, r3 == 1}, {r1 == 2, r2 == 0}, {r1 == 2, r3 == 1}};
  struct Fence {
    const char* name;
    std::optional<Order> order;
  };
  const Fence fences[] = {{"none", {}}, {"acqrel", acqrel}, {"sc", sc}};
  auto entry = [](Location mine, Location other, int give, const Fence& first, const Fence& second, Register flag,
                  Register turn) {
    Task task = {mine.store(1, rlx)};
    if (first.order) task.push_back(fence(*first.order));
    task.push_back(z.store(give, rlx));
    if (second.order) task.push_back(fence(*second.order));
    task.push_back(flag = other.load(rlx));
    task.push_back(turn = z.load(rlx));
    return task;
  };
  for (const Fence& first : fences) {
    for (const Fence& second : fences) {
      // Say T0 missed T1's flag, and T1 saw the turn of T0, so 2 mo 1 on z. With seq_cst fences in both places, Fa
      // between flag and turn and Fb between turn and loads: Fa1 -> W1(z) mo W0(z) -> Fb0 gives Fa1 < Fb0, and Fb0 ->
      // R0(y) missed W(y) -> Fa1 gives Fb0 < Fa1. The first alone does not order R0(y), the second alone does not order
      // W(y) before W1(z), and mo is no sw, so acq_rel fences do not help: each is allowed. Both flags missed is SB;
      // both turns seen is against coherence (CoWR.cross).
      const bool excluded = first.order == sc && second.order == sc;
      table.add_any(std::string("Peterson.") + first.name + "." + second.name,
                    {entry(x, y, 1, first, second, r0, r1), entry(y, x, 2, first, second, r2, r3)}, both_enter,
                    excluded ? forbidden : allowed);
    }
  }
  // All seq_cst operations: an interleaving, and Peterson is right in those.
  table.add_any("Peterson.operations-sc",
                {{x.store(1, sc), z.store(1, sc), r0 = y.load(sc), r1 = z.load(sc)},
                 {y.store(1, sc), z.store(2, sc), r2 = x.load(sc), r3 = z.load(sc)}},
                both_enter, forbidden);
  // The turn given away by exchange, acq_rel: the later exchange in mo reads the earlier and synchronises with it, so
  // the later task sees the other's flag; and the turn it reads is its own, the last in mo. It does not enter.
  table.add_any("Peterson.exchange",
                {{x.store(1, rlx), z.exchange(1, acqrel), r0 = y.load(acq), r1 = z.load(rlx)},
                 {y.store(1, rlx), z.exchange(2, acqrel), r2 = x.load(acq), r3 = z.load(rlx)}},
                both_enter, forbidden);
  // The same with the exchange relaxed: no sw.
  table.add_any("Peterson.exchange-rlx",
                {{x.store(1, rlx), z.exchange(1, rlx), r0 = y.load(acq), r1 = z.load(rlx)},
                 {y.store(1, rlx), z.exchange(2, rlx), r2 = x.load(acq), r3 = z.load(rlx)}},
                both_enter, allowed);
}

// Release sequences, as C++20 has them: the release store, then read-modify-writes only.
void release_sequences(Table& table) {
  const std::vector<Term> through_rmw = {r0 == 1, r1 == 2, r2 == 0};
  // The relaxed fetch_add of another task carries the release of T0 on to T2.
  table.add("RS.fetch_add",
            {{x.store(1, rlx), y.store(1, rel)}, {r0 = y.fetch_add(1, rlx)}, {r1 = y.load(acq), r2 = x.load(rlx)}},
            through_rmw, forbidden);
  table.add("RS.exchange",
            {{x.store(1, rlx), y.store(1, rel)}, {r0 = y.exchange(2, rlx)}, {r1 = y.load(acq), r2 = x.load(rlx)}},
            through_rmw, forbidden);
  table.add("RS.compare_exchange",
            {{x.store(1, rlx), y.store(1, rel)},
             {r0 = y.compare_exchange(1, 2, rlx, rlx)},
             {r1 = y.load(acq), r2 = x.load(rlx)}},
            through_rmw, forbidden);
  // The read-modify-write came first (it read 0): the release store stands behind it, and T2 reads what it did not
  // head.
  table.add("RS.fetch_add-not-headed",
            {{x.store(1, rlx), y.store(1, rel)}, {r0 = y.fetch_add(2, rlx)}, {r1 = y.load(acq), r2 = x.load(rlx)}},
            {r0 == 0, r1 == 2, r2 == 0}, allowed);
  // Two read-modify-writes in a row.
  table.add("RS.chain-of-two",
            {{x.store(1, rlx), y.store(1, rel)},
             {r0 = y.fetch_add(1, rlx)},
             {r1 = y.fetch_add(1, rlx)},
             {r2 = y.load(acq), r3 = x.load(rlx)}},
            {r2 == 3, r3 == 0}, forbidden);
  // A relaxed store of the same task does not continue the sequence since C++20 (it did in C++17).
  table.add("RS.own-store-breaks",
            {{x.store(1, rlx), y.store(1, rel), y.store(2, rlx)}, {r0 = y.load(acq), r1 = x.load(rlx)}},
            {r0 == 2, r1 == 0}, allowed);
  // A read-modify-write of the same task does.
  table.add("RS.own-fetch_add-keeps",
            {{x.store(1, rlx), y.store(1, rel), y.fetch_add(1, rlx)}, {r0 = y.load(acq), r1 = x.load(rlx)}},
            {r0 == 2, r1 == 0}, forbidden);
  // A store of another task never did, though it follows a load that read the release.
  table.add("RS.other-store-breaks",
            {{x.store(1, rlx), y.store(1, rel)},
             {r0 = y.load(rlx), only_if(r0 == 1, y.store(2, rlx))},
             {r1 = y.load(acq), r2 = x.load(rlx)}},
            {r1 == 2, r2 == 0}, allowed);
  // A store between the release and the read-modify-write breaks it too: the sequence is contiguous in mo.
  table.add("RS.store-between-breaks",
            {{x.store(1, rlx), y.store(1, rel), y.store(2, rlx)},
             {r0 = y.fetch_add(1, rlx)},
             {r1 = y.load(acq), r2 = x.load(rlx)}},
            {r0 == 2, r1 == 3, r2 == 0}, allowed);
  // A release fence heads the hypothetical sequence of any store behind it: the second store as well as the first.
  table.add("RS.fence-before-both-stores",
            {{x.store(1, rlx), fence(rel), y.store(1, rlx), y.store(2, rlx)}, {r0 = y.load(acq), r1 = x.load(rlx)}},
            {r0 == 2, r1 == 0}, forbidden);
  // Hypothetical sequence through a read-modify-write, fence to fence.
  table.add("RS.fences-and-fetch_add",
            {{x.store(1, rlx), fence(rel), y.store(1, rlx)},
             {r0 = y.fetch_add(1, rlx)},
             {r1 = y.load(rlx), fence(acq), r2 = x.load(rlx)}},
            through_rmw, forbidden);
  // The read-modify-write carries T0's release, and adds nothing of its own task's earlier store, being relaxed.
  table.add("RS.carrier-does-not-release",
            {{y.store(1, rel)}, {x.store(1, rlx), r0 = y.fetch_add(1, rlx)}, {r1 = y.load(acq), r2 = x.load(rlx)}},
            through_rmw, allowed);
  // A release read-modify-write both goes on with T0's sequence and heads its own: T2 must see both.
  table.add("RS.carrier-releases-too",
            {{x.store(1, rlx), y.store(1, rel)},
             {z.store(1, rlx), r0 = y.fetch_add(1, rel)},
             {r1 = y.load(acq), r2 = x.load(rlx), r3 = z.load(rlx)}},
            {r0 == 1, r1 == 2, r2 == 0}, forbidden);
}

// Read-modify-writes: atomicity, and the orders of success and failure.
void read_modify_writes(Table& table) {
  // Each reads the store right before its own in mo: the two cannot read the same one.
  table.add("RMW.fetch_add", {{r0 = x.fetch_add(1, rlx)}, {r1 = x.fetch_add(1, rlx)}}, {r0 == 0, r1 == 0}, forbidden);
  // Three of them, one count lost.
  table.add("RMW.fetch_add-three", {{r0 = x.fetch_add(1, rlx)}, {r1 = x.fetch_add(1, rlx)}, {r2 = x.fetch_add(1, rlx)}},
            {x == 2}, forbidden);
  // Two each: the task's own are in order.
  table.add(
      "RMW.fetch_add-two-each",
      {{r0 = x.fetch_add(1, rlx), r1 = x.fetch_add(1, rlx)}, {r2 = x.fetch_add(1, rlx), r3 = x.fetch_add(1, rlx)}},
      {r0 == 1, r1 == 2, r2 == 0, r3 == 2}, forbidden);
  table.add("RMW.exchange", {{r0 = x.exchange(1, rlx)}, {r1 = x.exchange(2, rlx)}}, {r0 == 0, r1 == 0}, forbidden);
  // One winner.
  table.add("RMW.compare_exchange",
            {{r0 = x.compare_exchange(0, 1, rlx, rlx)}, {r1 = x.compare_exchange(0, 2, rlx, rlx)}}, {r0 == 0, r1 == 0},
            forbidden);
  // A store cannot stand between what a read-modify-write reads and what it writes: 5 is before, and read, or behind,
  // and last.
  table.add("RMW.store-between", {{r0 = x.fetch_add(1, rlx)}, {x.store(5, rlx)}}, {r0 == 0, x == 1}, forbidden);
  // A load and a store are no read-modify-write: an update is lost.
  table.add("RMW.load-store-loses", {{r0 = x.load(sc), only_if(r0 == 0, x.store(1, sc))}, {r1 = x.fetch_add(2, sc)}},
            {r0 == 0, r1 == 0, x == 1}, allowed);
  // A relaxed load behind a read-modify-write of another task may still be old.
  table.add("RMW.stale-load",
            {{r0 = x.fetch_add(1, acqrel), r1 = y.load(rlx)}, {y.store(1, rlx), r2 = x.fetch_add(1, rlx)}},
            {r2 == 0, r0 == 1, r1 == 0}, allowed);
  // A chain of acq_rel read-modify-writes passes on everything before it.
  table.add("RMW.acqrel-chain",
            {{x.store(1, rlx), r0 = z.fetch_add(1, acqrel)},
             {r1 = z.fetch_add(1, acqrel), y.store(1, rlx), r2 = z.fetch_add(1, acqrel)},
             {r3 = z.load(acq), r4 = x.load(rlx), r5 = y.load(rlx)}},
            {r0 == 0, r3 == 3, r4 == 0}, forbidden);

  // A compare_exchange that fails is a load with its failure order.
  const std::vector<Term> failed_without_data = {r0 == 1, r1 == 0};
  table.add("CAS.failure-rlx",
            {{x.store(1, rlx), y.store(1, rel)}, {r0 = y.compare_exchange(0, 5, acqrel, rlx), r1 = x.load(rlx)}},
            failed_without_data, allowed);
  table.add("CAS.failure-acq",
            {{x.store(1, rlx), y.store(1, rel)}, {r0 = y.compare_exchange(0, 5, rlx, acq), r1 = x.load(rlx)}},
            failed_without_data, forbidden);
  // One that succeeds has its success order.
  table.add("CAS.success-acq",
            {{x.store(1, rlx), y.store(1, rel)}, {r0 = y.compare_exchange(1, 2, acq, rlx), r1 = x.load(rlx)}},
            {r0 == 1, r1 == 0}, forbidden);
  table.add("CAS.success-rlx",
            {{x.store(1, rlx), y.store(1, rel)}, {r0 = y.compare_exchange(1, 2, rlx, acq), r1 = x.load(rlx)}},
            {r0 == 1, r1 == 0}, allowed);
  // A failed one writes nothing, so it neither releases nor hides the store it read.
  table.add("CAS.failure-does-not-release",
            {{x.store(1, rlx), r0 = y.compare_exchange(7, 1, acqrel, acq), y.store(2, rlx)},
             {r1 = y.load(acq), r2 = x.load(rlx)}},
            {r1 == 2, r2 == 0}, allowed);
  // A failed seq_cst one is a seq_cst load: SB.sc.
  table.add("CAS.failure-sc",
            {{x.store(1, sc), r0 = y.compare_exchange(7, 9, sc, sc)},
             {y.store(1, sc), r1 = x.compare_exchange(7, 9, sc, sc)}},
            {r0 == 0, r1 == 0}, forbidden);
  // With the failure order relaxed it is not in S.
  table.add("CAS.failure-rlx-not-in-S",
            {{x.store(1, sc), r0 = y.compare_exchange(7, 9, sc, rlx)},
             {y.store(1, sc), r1 = x.compare_exchange(7, 9, sc, rlx)}},
            {r0 == 0, r1 == 0}, allowed);
  // A lock made of it: x is the lock, y the data. Who takes the lock second reads the release of the first and so its
  // y.
  table.add("CAS.try-lock",
            {{r0 = x.compare_exchange(0, 1, acq, rlx), only_if(r0 == 0, r1 = y.load(rlx)),
              only_if(r0 == 0, y.store(1, rlx)), only_if(r0 == 0, x.store(0, rel))},
             {r2 = x.compare_exchange(0, 1, acq, rlx), only_if(r2 == 0, r3 = y.load(rlx)),
              only_if(r2 == 0, y.store(2, rlx)), only_if(r2 == 0, x.store(0, rel))}},
            {r1 == 0, r3 == 0}, forbidden);
  // The same without the release: the data may be old.
  table.add("CAS.try-lock-rlx-unlock",
            {{r0 = x.compare_exchange(0, 1, acq, rlx), only_if(r0 == 0, r1 = y.load(rlx)),
              only_if(r0 == 0, y.store(1, rlx)), only_if(r0 == 0, x.store(0, rlx))},
             {r2 = x.compare_exchange(0, 1, acq, rlx), only_if(r2 == 0, r3 = y.load(rlx)),
              only_if(r2 == 0, y.store(2, rlx)), only_if(r2 == 0, x.store(0, rlx))}},
            {r1 == 0, r3 == 0}, allowed);
}

// Seq_cst and weaker operations on the same locations.
void mixed(Table& table) {
  // A seq_cst load may read a relaxed store that is newer than the last seq_cst one.
  table.add("MIX.sc-load-of-rlx-store",
            {{x.store(1, sc), y.store(1, rlx)}, {x.store(2, rlx), r0 = y.load(sc)}, {r1 = x.load(sc)}},
            {r0 == 1, r1 == 2, x == 2}, allowed);
  // A seq_cst load is not held to the last seq_cst store if a relaxed one stands behind it in mo; but it may not go
  // back before that store: R2(x) missed W0(x), so R2(x) < W0(x) < R0(y) < W2(y) < R2(x).
  table.add("MIX.sc-load-not-before-sc-store",
            {{x.store(1, sc), r0 = y.load(sc)}, {x.store(2, rlx)}, {y.store(1, sc), r1 = x.load(sc)}},
            {r0 == 0, r1 == 0}, forbidden);
  // Independent seq_cst stores seen through relaxed loads in both orders: loads that are not in S see no S.
  table.add(
      "MIX.sc-stores-seen-relaxed",
      {{x.store(1, sc)}, {y.store(1, sc)}, {r0 = x.load(rlx), r1 = y.load(rlx)}, {r2 = y.load(rlx), r3 = x.load(rlx)}},
      {r0 == 1, r1 == 0, r2 == 1, r3 == 0}, allowed);
  // F0 -> W(y), which R(y) read, so F0 < R(y) < R(x); and R(x) missed W(x) -> F0, so R(x) < F0.
  table.add("MIX.fence-sc-to-sc-loads",
            {{x.store(1, rlx), fence(sc), y.store(1, rlx)}, {r0 = y.load(sc), r1 = x.load(sc)}}, {r0 == 1, r1 == 0},
            forbidden);
  // 2+2W with a fence against operations. F0 -> W0(y) mo W1(y) gives F0 < W1(y) < W1(x), and W1(x) mo W0(x) -> F0 gives
  // W1(x) < F0.
  table.add("MIX.2+2W-fence-against-sc",
            {{x.store(1, rlx), fence(sc), y.store(2, rlx)}, {y.store(1, sc), x.store(2, sc)}}, {x == 1, y == 1},
            forbidden);
  // Z6.U of "Repairing sequential consistency in C/C++11" (PLDI 2017). U(y) mo W2(y) < R(x) < W(x). W(x) happens before
  // U(y), but not strongly: that needs something sequenced behind the acquire. So S may have U(y) before W(x), against
  // the order in which values flow: W(x), W(y), U(y). Allowed, and no one order of all operations has both.
  table.add("MIX.Z6.U",
            {{x.store(1, sc), y.store(1, rel)},
             {r0 = y.fetch_add(1, sc), r1 = y.load(rlx)},
             {y.store(3, sc), r2 = x.load(sc)}},
            {r0 == 1, r1 == 3, r2 == 0}, not_shown);
  // The same with a seq_cst load behind the read-modify-write. Now W(x) strongly happens before that load, but still
  // not before U(y): U(y) < W2(y) < R(x) < W(x) < R1(y) is a fine S, and still against the order in which values flow.
  table.add("MIX.Z6.U-sc-load",
            {{x.store(1, sc), y.store(1, rel)},
             {r0 = y.fetch_add(1, sc), r1 = y.load(sc)},
             {y.store(3, sc), r2 = x.load(sc)}},
            {r0 == 1, r1 == 3, r2 == 0}, not_shown);
  // Release and acquire made seq_cst throughout: W(x) < W0(y) < U(y) < W2(y) < R(x) < W(x).
  table.add(
      "MIX.Z6.U-all-sc",
      {{x.store(1, sc), y.store(1, sc)}, {r0 = y.fetch_add(1, sc), r1 = y.load(sc)}, {y.store(3, sc), r2 = x.load(sc)}},
      {r0 == 1, r1 == 3, r2 == 0}, forbidden);
  // W1(x) mo W2(x), so W1(x) < W2(x) < R(y) < W(y) in S, yet T1 stored to x behind a load of T0's z, which is behind
  // W(y). The relaxed z makes no happens-before, so S may say so; no one order of all operations does.
  table.add("MIX.rlx-flag-against-S",
            {{y.store(1, sc), z.store(1, rlx)}, {r0 = z.load(rlx), x.store(1, sc)}, {x.store(2, sc), r1 = y.load(sc)}},
            {r0 == 1, r1 == 0, x == 2}, not_shown);
  // With release and acquire on z, W(y) strongly happens before W1(x) (sequenced, happens-before, sequenced): W(y) <
  // W1(x) < W2(x) < R(y) < W(y).
  table.add("MIX.rel-acq-flag-along-S",
            {{y.store(1, sc), z.store(1, rel)}, {r0 = z.load(acq), x.store(1, sc)}, {x.store(2, sc), r1 = y.load(sc)}},
            {r0 == 1, r1 == 0, x == 2}, forbidden);
  // The same with fences, no seq_cst operation at all. R(x) missed W(x) -> F0, so F2 < F0. T2 heard of T0 through y and
  // z, but relaxed: the chain is no happens-before, and each link alone orders no two fences. Allowed; not shown.
  table.add("MIX.rlx-chain-between-fences",
            {{x.store(1, rlx), fence(sc), y.store(1, rlx)},
             {r0 = y.load(rlx), z.store(1, rlx)},
             {r1 = z.load(rlx), fence(sc), r2 = x.load(rlx)}},
            {r0 == 1, r1 == 1, r2 == 0}, not_shown);
  // With one more fence in the middle each link orders two: F0 < F1 < F2.
  table.add("MIX.fenced-chain-between-fences",
            {{x.store(1, rlx), fence(sc), y.store(1, rlx)},
             {r0 = y.load(rlx), fence(sc), z.store(1, rlx)},
             {r1 = z.load(rlx), fence(sc), r2 = x.load(rlx)}},
            {r0 == 1, r1 == 1, r2 == 0}, forbidden);
}

std::vector<Shape> all_shapes() {
  Table table;
  store_buffering(table);
  message_passing(table);
  independent_reads(table);
  coherence(table);
  causality(table);
  writes(table);
  dekker(table);
  peterson(table);
  release_sequences(table);
  read_modify_writes(table);
  mixed(table);
  return std::move(table.rows);
}

}  // namespace

bool Shape::is_about(const Outcome& found) const {
  return std::any_of(outcome.begin(), outcome.end(), [&](const std::vector<Term>& terms) {
    return std::all_of(terms.begin(), terms.end(), [&](const Term& term) { return found.satisfies(term); });
  });
}

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = all_shapes();
  return all;
}

}  // namespace ravel::litmus
