// SPDX-License-Identifier: Apache-2.0
// FlowProgram: what the analysis of reaching definitions needs to know of a program's sources, without Clang. Functions
// are graphs of blocks; a block is a list of events in evaluation order. ProgramReader fills it, one translation unit
// after the other; ProgramGraph reads it. Plain values.
//
// Invariants: functions and globals of several translation units are the same if they have the same name in the program
// (USR); a block's edges lead to blocks of the same function.
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace ravel {

// Lines of one file, including the last.
struct SourceLines {
  std::string file;
  unsigned first = 0;
  unsigned last = 0;
};

// A token, and the lines of its statement: a compiler may attribute the token's machine code to any of them. The code
// of a member initialiser may be attributed to the member or to the constructor.
struct SourcePlace {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::vector<SourceLines> lines;

  friend auto operator<=>(const SourcePlace& a, const SourcePlace& b) {
    return std::tie(a.file, a.line, a.column) <=> std::tie(b.file, b.line, b.column);
  }
  friend bool operator==(const SourcePlace& a, const SourcePlace& b) { return std::is_eq(a <=> b); }
};

// An object or a value as the source names it. What a name means is known once the function is put into its context.
struct FlowExpr;
using FlowExprPtr = std::shared_ptr<const FlowExpr>;
struct FlowExpr {
  enum class Kind {
    unknown,
    // objects
    variable,  // id: variable
    field,     // of base; name: Class::field
    element,   // of base; text: the index where it is a constant
    pointee,   // of the value base
    // values
    address,     // of base
    load,        // what is in base
    function,    // id: function; base: the object it is called on, if any
    closure,     // id: function, a lambda
    allocation,  // id: where; its value is the new object's address
    constant,
    self,    // `this`
    result,  // of a call of function id with arguments; base: the object it is called on
  };
  Kind kind = Kind::unknown;
  int id = -1;
  long number = 0;
  std::string text;
  std::string type;    // of an object, without qualifiers
  bool whole = false;  // a union: all of its parts are one
  FlowExprPtr base;
  std::vector<FlowExprPtr> arguments;
};

enum class Comparison { equal, unequal, less, less_equal, greater, greater_equal };

struct FlowEvent {
  enum class Kind {
    read,
    write,  // value: when it is known
    bind,   // place is a reference, or a pointer that never changes: it means value from here on
    lock,   // place: a mutex
    unlock,
    guard,       // place: a lock object; arguments: its mutexes
    guard_lock,  // place: a lock object
    guard_unlock,
    create,    // value: what runs; arguments: what it gets; place: the handle. optional: perhaps in no new thread
    join,      // place: the handle
    join_all,  // place: a container of handles
    call,      // callees, or value; arguments
    arrive,    // place: a semaphore, latch, once flag or promise
    pass,
    barrier,  // place
    spoil,    // place: a barrier or latch is used in a way that is not followed
    observe,  // place was read, and compares so with number
    may_throw,
  };
  Kind kind = Kind::read;
  SourcePlace where;
  FlowExprPtr place;
  FlowExprPtr value;
  std::vector<FlowExprPtr> arguments;
  std::vector<int> callees;
  FlowExprPtr self;     // call: the object
  bool weak = false;    // write: perhaps
  bool shared = false;  // lock: for readers
  bool locks = true;    // guard: at once
  bool atomic = false;
  bool ordered = false;      // an atomic write releases, an atomic read acquires
  bool declaration = false;  // write: the initialiser of a variable
  bool any_times = false;    // call: never, once or often, by code that is not seen
  bool optional = false;     // call: once or not at all. join: the thread may never have run
  bool once = false;         // arrive, pass: the initialisation of a static variable
  bool own_write = false;    // read: by code that is not seen, which perhaps reads what it has just written
  bool until_true = false;   // call: a condition variable's predicate; place: its lock object
  Comparison comparison = Comparison::equal;
  long number = 0;  // observe; arrive: how many
};

struct FlowBlock {
  struct Edge {
    int to = -1;
    std::vector<FlowEvent> events;  // what follows if it is taken
  };
  std::vector<FlowEvent> events;
  std::vector<Edge> next;
  long trips = 1;        // how often a call gets here at most; 0: unknown
  bool certain = false;  // every complete call gets here at least once
  bool handles = false;  // exceptions arrive here
};

struct FlowVariable {
  std::string name;
  std::string type;
  SourcePlace where;
  int owner = -1;          // function; -1: global or static
  bool is_static = false;  // lives from the beginning to the end
  bool per_thread = false;
  bool is_reference = false;
  bool escapes = false;         // its address is known elsewhere
  bool changes = false;         // after its initialiser
  bool repeats = false;         // declared in a loop: a call has several of it
  bool moved = false;           // a thread handle that may hold another thread by now
  std::optional<long> initial;  // a constant; statics without initialiser have 0
  std::optional<long> count;    // of a semaphore, latch or barrier
};

struct FlowCapture {
  int variable = -1;
  bool by_reference = false;
  FlowExprPtr value;  // of a copy
};

struct FlowFunction {
  std::string name;
  SourcePlace where;  // of a lambda
  bool defined = false;
  bool is_lambda = false;
  bool is_method = false;  // is called on an object; lambdas are not
  bool of_life = false;    // a constructor or destructor
  SourceLines lines;       // all of it
  bool address_taken = false;
  std::vector<int> parameters;
  std::vector<FlowCapture> captures;
  std::vector<FlowBlock> blocks;
  int entry = -1;
  int exit = -1;
  FlowExprPtr result;             // when there is one return
  std::vector<FlowEvent> truths;  // what follows if the result is true
  std::vector<int> overriders;
};

struct FlowProgram {
  std::vector<FlowFunction> functions;
  std::vector<FlowVariable> variables;
  std::map<std::string, std::optional<long>> field_counts;  // of semaphores, latches and barriers; nothing: several
  std::set<std::string> exposed_fields;                     // their addresses are known elsewhere
  std::set<std::string> moved_fields;                       // handles of threads
  std::set<std::string> changing_fields;                    // written outside constructors
  std::set<std::string> unions;                             // types
  std::vector<SourcePlace> allocations;
  std::set<int> single_allocations;  // not in a loop
  bool catches = false;              // some exception is caught
  int main = -1;
  std::vector<int> initialisers;  // functions that represent the dynamic initialisation of globals
};

}  // namespace ravel
