// SPDX-License-Identifier: Apache-2.0
// Symboliser: resolves addresses of a target: code to functions and source lines (including inlined calls), data to
// variable names. It reads the files of the modules, not the live process, so it also works for executions that have
// ended.
//
// Who calls it: finding_report (stacks of findings), the driver (code locations, build ids).
// Thread safety: none; each user has its own. Symboliser is movable, not copyable.
//
// Invariants:
//  1. Nothing is opened before the first query about a module, and each answer is computed once: asking for the same
//     address again is one hash lookup.
//  2. Answers contain no absolute addresses, so they are equal for equal code wherever it is loaded.
//  3. Every query has an answer: without debug information from the ELF symbol table, without that the module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "model/operation.h"
#include "trace/channel.h"

namespace ravel {

// One source-level call. line is 0 and file empty when there is no debug information for it.
struct Frame {
  std::string function;  // demangled; "??" when unknown
  std::string file;      // relative to the current directory when below it
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string module;        // path of the file the code is in; empty when the address is in none
  std::uint64_t offset = 0;  // link-time address in that module
  bool inlined = false;      // inlined into the next frame

  friend bool operator==(const Frame&, const Frame&) = default;
};

// The last component of a path.
inline std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// A loaded file of the target.
struct SymbolModule {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint64_t bias = 0;  // load address minus link address
  std::string path;

  friend bool operator==(const SymbolModule&, const SymbolModule&) = default;
};

// What an address is. A return address is after the call, maybe already on the next line: the call itself ends one byte
// before it.
enum class AddressKind : std::uint8_t { return_address, exact };

// Of an operation's pc. Where a task starts and ends it is that of its function, which nobody called from code.
constexpr AddressKind address_kind(OperationKind kind) {
  const bool is_entry = kind == OperationKind::task_start || kind == OperationKind::task_end;
  return is_entry ? AddressKind::exact : AddressKind::return_address;
}

// How the bytes of a variable are to be read.
enum class ValueKind : std::uint8_t {
  unknown,
  signed_integer,
  unsigned_integer,
  boolean,
  floating,
  pointer,
};

// A call in progress: its frame on the stack of its task.
struct StackFrame {
  std::uint64_t pc = 0;             // return address
  std::uint64_t stack_pointer = 0;  // the lowest address of the frame
  std::uint64_t frame_pointer = 0;  // the register of that name, whatever the function uses it for
  std::uint64_t end = 0;            // one past the highest: what DWARF calls the canonical frame address

  friend bool operator==(const StackFrame&, const StackFrame&) = default;
  friend bool operator<(const StackFrame& a, const StackFrame& b) {
    return std::tie(a.pc, a.stack_pointer, a.frame_pointer, a.end) <
           std::tie(b.pc, b.stack_pointer, b.frame_pointer, b.end);
  }
};

// A variable and the place in it. Type, member and declaration are known only where there is debug information; local
// variables are known only there.
struct DataName {
  std::string name;  // demangled; empty when the address is in no known object
  std::uint64_t offset = 0;
  std::uint64_t size = 0;               // of the whole object
  std::string member;                   // the part that holds the place: ".history[1]"; may be empty
  std::uint64_t rest = 0;               // how far into that part; without a member, the same as offset
  ValueKind kind = ValueKind::unknown;  // of that part
  std::string type;                     // of the whole object
  std::string file;                     // where it is declared
  std::uint32_t line = 0;
  std::string function;  // whose local variable it is: "main()"; empty for others

  bool known() const { return !name.empty(); }
  std::string text() const;  // `name`, `name.member`, or `name+8`
};

// What resolving a finding needs. Symboliser answers from the files of a target; tests answer from a table.
class SymbolSource {
 public:
  virtual ~SymbolSource() = default;

  // The calls at `address`, innermost first: inlined ones, then the function they were inlined into. Never empty. The
  // reference is valid as long as the source.
  virtual const std::vector<Frame>& code(std::uint64_t address, AddressKind kind) = 0;
  const std::vector<Frame>& code(std::uint64_t return_address) {
    return code(return_address, AddressKind::return_address);
  }
  const std::vector<Frame>& code_of(const Operation& operation) {
    return code(operation.pc, address_kind(operation.kind));
  }

  // The path of the file that contains the call before `return_address`; empty when none does. For callers that need
  // only the module: opening a library's debug information takes longer than everything else in a report.
  virtual std::string_view module_path(std::uint64_t return_address) { return code(return_address).front().module; }

  // The global variable that contains `address`, and the smallest part of it that holds `size` bytes from there.
  virtual const DataName& data(std::uint64_t address, std::uint64_t size) = 0;
  const DataName& data(std::uint64_t address) { return data(address, 1); }

  // The same for a thread_local variable of the program itself, `distance` bytes below the thread pointer.
  virtual const DataName& thread_local_data(std::uint64_t distance, std::uint64_t size) = 0;

  // The same for a local variable or parameter of the call in `frame`.
  virtual const DataName& local_data(const StackFrame& frame, std::uint64_t address, std::uint64_t size) = 0;

  // True when the code at `address` is the end of a signal handler (a call of sigreturn): in a stack, the next address
  // is that of the interrupted instruction itself, not a return address.
  virtual bool is_signal_return(std::uint64_t address) = 0;

 protected:
  SymbolSource() = default;
  SymbolSource(SymbolSource&&) = default;
  SymbolSource& operator=(SymbolSource&&) = default;
};

class Symboliser final : public SymbolSource {
 public:
  // `program` is the path of the executable; it is used for modules with an empty path.
  Symboliser(const std::string& program, std::span<const ModuleRecord> modules);
  Symboliser(const std::string& program, std::vector<SymbolModule> modules);
  ~Symboliser() override;
  Symboliser(Symboliser&&) noexcept;
  Symboliser& operator=(Symboliser&&) noexcept;

  using SymbolSource::code;
  const std::vector<Frame>& code(std::uint64_t address, AddressKind kind) override;
  std::string_view module_path(std::uint64_t return_address) override;
  using SymbolSource::data;
  const DataName& data(std::uint64_t address, std::uint64_t size) override;
  // Names that the program gave to its objects (ravel::label): before all others. They replace those given before.
  void use_labels(std::span<const LabelRecord> labels);
  const DataName& thread_local_data(std::uint64_t distance, std::uint64_t size) override;
  const DataName& local_data(const StackFrame& frame, std::uint64_t address, std::uint64_t size) override;
  bool is_signal_return(std::uint64_t address) override;

  // The module that holds `address`, or nullptr.
  const SymbolModule* module_of(std::uint64_t address) const;
  const std::vector<SymbolModule>& modules() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// `name` as C++ source would spell it, or unchanged when it is not a mangled name.
std::string demangle(const std::string& name);

}  // namespace ravel
