// SPDX-License-Identifier: Apache-2.0
// FlowProgram: what the search for reaching definitions needs of a program's sources, without Clang. Functions are
// graphs of blocks; a block is a list of events in the order of evaluation. Filled by ProgramReader, one translation
// unit after the other; read by ProgramGraph. Values; one thread.
//
// Invariants: functions and global variables of several translation units are one when their names in the program
// (USR) are; a block's edges name blocks of the same function.
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

// Lines of one file, the last included.
struct SourceLines {
  std::string file;
  unsigned first = 0;
  unsigned last = 0;
};

// A token, and the lines of the statement that it is in: a compiler may say that the machine code of the token stands
// on any of them. What an initialiser of a member does may stand with the member or with the constructor.
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

// An object or a value as the source names it. What a name means is known when the function is put into its context.
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
    std::vector<FlowEvent> events;  // what taking it tells
  };
  std::vector<FlowEvent> events;
  std::vector<Edge> next;
  long trips = 1;        // how often a call comes here at most; 0: nobody knows
  bool certain = false;  // every complete call comes here at least once
  bool handles = false;  // exceptions come here
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
  bool moved = false;           // a thread's handle: it may be another's thread by now
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
  bool address_taken = false;
  std::vector<int> parameters;
  std::vector<FlowCapture> captures;
  std::vector<FlowBlock> blocks;
  int entry = -1;
  int exit = -1;
  FlowExprPtr result;             // when there is one return
  std::vector<FlowEvent> truths;  // what a result of true tells
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
  bool catches = false;              // an exception may go on in a handler
  int main = -1;
  std::vector<int> initialisers;  // functions that stand for the dynamic initialisation of globals
};

}  // namespace ravel
