// SPDX-License-Identifier: Apache-2.0
// A litmus program as plain data: a few tasks, each a short straight line of operations on a few atomic locations.
//
// Written by the table (shapes.cpp) and by tests, with notation that reads like the C++ it stands for:
//   {{x.store(1, rlx), r0 = y.load(rlx)}, {y.store(1, rlx), r1 = x.load(rlx)}}
// Read by the oracle (model.h) and by the generator of the real program (runner/litmus_tool.cpp).
//
// Invariants: every location starts with 0 and every register with -1 ("not reached"); a register is set by one
// operation at most; a guard names a register that the same task has set before.
// Thread safety: values without hidden sharing.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ravel::litmus {

enum class Order { relaxed, acquire, release, acq_rel, seq_cst };
inline constexpr Order rlx = Order::relaxed;
inline constexpr Order acq = Order::acquire;
inline constexpr Order rel = Order::release;
inline constexpr Order acqrel = Order::acq_rel;
inline constexpr Order sc = Order::seq_cst;

constexpr bool acquires(Order order) { return order == acq || order == acqrel || order == sc; }
constexpr bool releases(Order order) { return order == rel || order == acqrel || order == sc; }

enum class Kind { load, store, fetch_add, exchange, compare_exchange, fence };

inline constexpr int max_registers = 8;
inline constexpr int max_locations = 4;
inline constexpr std::array<std::string_view, max_locations> location_names = {"x", "y", "z", "w"};
inline constexpr int not_reached = -1;

// "This register or location has this value": in a guard, or about an outcome.
struct Term {
  bool is_register = false;
  int index = 0;
  int value = 0;
};

struct Operation {
  Kind kind = Kind::fence;
  int location = -1;              // none for a fence
  int result = -1;                // register that takes the value read; none when it is not looked at
  int value = 0;                  // stored, added, exchanged, or desired
  int expected = 0;               // compare_exchange only
  Order order = sc;               // of success, for a compare_exchange
  Order failure = rlx;            // compare_exchange only
  std::optional<Term> only = {};  // performed only if this holds

  bool reads() const { return kind != Kind::store && kind != Kind::fence; }
  bool may_write() const { return kind != Kind::load && kind != Kind::fence; }
};

using Task = std::vector<Operation>;
using Program = std::vector<Task>;

// --- notation -------------------------------------------------------------------------------------------------------

struct Location {
  int index;

  Operation load(Order order) const { return {.kind = Kind::load, .location = index, .order = order}; }
  Operation store(int value, Order order) const {
    return {.kind = Kind::store, .location = index, .value = value, .order = order};
  }
  Operation fetch_add(int value, Order order) const {
    return {.kind = Kind::fetch_add, .location = index, .value = value, .order = order};
  }
  Operation exchange(int value, Order order) const {
    return {.kind = Kind::exchange, .location = index, .value = value, .order = order};
  }
  // The strong form. Its register takes the value read, so it succeeded where the register equals `expected`.
  Operation compare_exchange(int expected, int desired, Order success, Order failure) const {
    return {.kind = Kind::compare_exchange,
            .location = index,
            .value = desired,
            .expected = expected,
            .order = success,
            .failure = failure};
  }
  Term operator==(int value) const { return {.is_register = false, .index = index, .value = value}; }
};

struct Register {
  int index;

  // `r0 = x.load(rlx)`: the operation with its register.
  Operation operator=(Operation operation) const {
    operation.result = index;
    return operation;
  }
  Term operator==(int value) const { return {.is_register = true, .index = index, .value = value}; }
};

inline constexpr Location x{0}, y{1}, z{2}, w{3};
inline constexpr Register r0{0}, r1{1}, r2{2}, r3{3}, r4{4}, r5{5}, r6{6}, r7{7};

inline Operation fence(Order order) { return {.kind = Kind::fence, .order = order}; }
inline Operation only_if(Term term, Operation operation) {
  operation.only = term;
  return operation;
}

// --- outcomes -------------------------------------------------------------------------------------------------------

// What an execution leaves behind: every register, and the last value of every location in modification order.
struct Outcome {
  std::array<int, max_registers> registers;
  std::array<int, max_locations> locations;

  auto operator<=>(const Outcome&) const = default;
  bool satisfies(const Term& term) const {
    return (term.is_register ? registers[term.index] : locations[term.index]) == term.value;
  }
};

// The registers and locations a program names, in order: what its outcomes are about.
struct Names {
  std::vector<int> registers;
  std::vector<int> locations;
};
Names names_in(const Program& program);

// "r0=1 r1=0 x=1 y=1": the line the real program writes.
std::string to_text(const Names& names, const Outcome& outcome);

// Nothing if the program keeps the invariants above and uses only orders that C++ has for each operation; else why not.
std::optional<std::string> why_malformed(const Program& program);

}  // namespace ravel::litmus
