// SPDX-License-Identifier: Apache-2.0
#include "reports/finding_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/random.h"
#include "reports/access_words.h"
#include "reports/known_defects.h"
#include "reports/local_variables.h"
#include "reports/unclear_race.h"

namespace ravel {

ObjectNoun object_noun(OperationKind kind) {
  switch (kind) {
    case OperationKind::mutex_lock:
    case OperationKind::mutex_try_lock:
    case OperationKind::mutex_timed_lock:
    case OperationKind::mutex_unlock:
    case OperationKind::mutex_destroy:
      return {"mutex", 'M'};
    case OperationKind::rwlock_read_lock:
    case OperationKind::rwlock_write_lock:
    case OperationKind::rwlock_try_read_lock:
    case OperationKind::rwlock_try_write_lock:
    case OperationKind::rwlock_unlock:
    case OperationKind::rwlock_destroy:
    case OperationKind::rwlock_queue_writer:
      return {"read-write lock", 'R'};
    case OperationKind::condition_wait:
    case OperationKind::condition_timed_wait:
    case OperationKind::condition_wake:
    case OperationKind::condition_signal:
    case OperationKind::condition_broadcast:
    case OperationKind::condition_destroy:
      return {"condition variable", 'C'};
    case OperationKind::semaphore_wait:
    case OperationKind::semaphore_try_wait:
    case OperationKind::semaphore_post:
    case OperationKind::semaphore_destroy:
      return {"semaphore", 'S'};
    case OperationKind::barrier_wait:
    case OperationKind::barrier_destroy:
      return {"barrier", 'B'};
    case OperationKind::spin_lock:
    case OperationKind::spin_try_lock:
    case OperationKind::spin_unlock:
    case OperationKind::spin_destroy:
      return {"spin lock", 'L'};
    case OperationKind::sync_wait:
    case OperationKind::sync_notify:
      return {"event", 'E'};
    case OperationKind::sync_arrival:
      return {"sync point", 'P'};
    default:
      return {"object", 'O'};
  }
}

bool object_is_task(OperationKind kind) {
  return kind == OperationKind::task_create || kind == OperationKind::task_join || kind == OperationKind::task_detach ||
         kind == OperationKind::task_cancel || kind == OperationKind::task_signal;
}

bool has_object(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::fence:
    case OperationKind::task_start:
    case OperationKind::task_end:
    case OperationKind::sleep:
    case OperationKind::yield:
    case OperationKind::io:
    case OperationKind::call_begin:
    case OperationKind::call_end:
    case OperationKind::program_exit:
      return false;
    default:
      return operation.object != 0 || object_is_task(operation.kind);
  }
}

namespace {

// A fixed-size text field of the channel. The target may have died while writing it: it need not be terminated.
template <std::size_t N>
std::string field_text(const char (&field)[N]) {
  return std::string(field, ::strnlen(field, N));
}

bool is_our_module(const Frame& frame) {
  const std::string_view name = base_name(frame.module);
  return name.starts_with("libravel.so") || name.starts_with("libtsan.so");
}

// Whatever the function is called.
bool is_library_module(std::string_view path) {
  static constexpr std::string_view kModules[] = {"libravel.so",  "libtsan.so",  "libc.so",      "libc-2.",
                                                  "libstdc++.so", "libgcc_s.so", "libpthread",   "ld-linux",
                                                  "libm.so",      "libc++.so",   "libc++abi.so", "linux-vdso"};
  const std::string_view module = base_name(path);
  return std::any_of(std::begin(kModules), std::end(kModules),
                     [&](std::string_view name) { return module.starts_with(name); });
}

// "std::mutex::lock" of "void std::mutex::lock<int>(...)": no return type, no arguments.
std::string_view bare_name(std::string_view function) {
  const std::string_view head = function.substr(0, function.find_first_of("<("));
  const std::size_t space = head.rfind(' ');
  return space == std::string_view::npos ? head : head.substr(space + 1);
}

// The record of a crash has no operation: the task was between two.
bool is_operation(const Operation& operation) {
  return !(is_memory_access(operation.kind) && operation.size == 0 && operation.object == 0);
}

bool begins_a_thread(const Frame& frame) {
  static constexpr std::string_view kNames[] = {"start_thread", "clone", "__clone", "clone3", "__clone3", "_start"};
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view name) { return frame.function == name; }) ||
         frame.function.starts_with("__libc_start");
}

class Resolver {
 public:
  Resolver(const FindingRecord& record, std::span<const TaskRecord> tasks, SymbolSource& symbols,
           std::span<const CreationRecord> creations)
      : record_(record), tasks_(tasks), symbols_(symbols), locals_(tasks, creations, symbols) {
    created_ = locals_.created_by(record.step);
    participants_ = {record.participant, std::min<std::size_t>(record.participants, kMaxParticipants)};
  }

  ResolvedFinding resolve(std::span<const WeakRead> weak_reads) {
    finding_.kind = record_.kind;
    finding_.task = record_.task;
    finding_.signal_number = record_.signal_number;
    // How far an endless loop got before the time limit is chance.
    finding_.step = record_.kind == FindingKind::timeout ? 0 : record_.step;
    finding_.stacks_total =
        std::max<std::uint32_t>(record_.participants_total, static_cast<std::uint32_t>(participants_.size()));
    // A lock is named after what is done to it, even when it first appears as a held lock.
    for (const ParticipantRecord& part : participants_) {
      if (has_object(part.operation) && !object_is_task(part.operation.kind)) {
        kind_of_.emplace(part.operation.object, part.operation.kind);
      }
    }
    for (const ParticipantRecord& part : participants_) finding_.stacks.push_back(stack_of(part));
    if (is_about_memory(record_.kind)) finding_.memory = memory_of();
    for (const TaskId task : mentioned_) finding_.tasks.push_back(task_of(task));
    finding_.fault = fault_text();
    finding_.message = field_text(record_.message);
    if (record_.kind == FindingKind::data_race && finding_.stacks.size() == 2) {
      finding_.message = race_message(finding_);
      finding_.remedy = race_remedy(finding_);
    }
    if (finding_.message.empty()) finding_.message = made_message();
    // It is the same race whatever value was read.
    if (record_.kind != FindingKind::data_race) {
      for (const WeakRead& read : weak_reads) finding_.weak_reads.push_back(weak_read_text(read));
    }
    finding_.known_defect = known_defect(finding_);
    finding_.may_be_ordered_by = unseen_order_name(record_.unseen, symbols_);
    finding_.signature = signature();
    return std::move(finding_);
  }

 private:
  ResolvedStack stack_of(const ParticipantRecord& part) {
    ResolvedStack stack;
    stack.task = part.operation.task;
    stack.task_name = name_of(stack.task);
    mention(stack.task);
    for (std::size_t i = 0; i < std::size(part.held) && part.held[i] != 0; ++i) {
      HeldLock lock;
      lock.object = object_name(part.held[i], OperationKind::mutex_lock);
      lock.taken_at = taken_at(part.held_pc[i]);
      stack.held.push_back(std::move(lock));
    }
    if (is_operation(part.operation)) {
      stack.kind = part.operation.kind;
      stack.operation = operation_text(part.operation);
      if (object_is_task(stack.kind)) {
        const auto other = static_cast<TaskId>(part.operation.object);
        stack.object = task_text(other);
        mention(other);
        if (stack.kind == OperationKind::task_join) stack.holder = other;
      } else if (is_memory_access(stack.kind) && is_about_memory(record_.kind)) {
        stack.size = part.operation.size;
        stack.object = memory_name(part.operation.object, part.operation.size);
        if (part.value_known != 0) {
          const ValueKind kind = variable_at(part.operation.object, stack.size).kind;
          stack.value = value_text(part.operation.value, stack.size, kind);
        }
      } else if (has_object(part.operation)) {
        stack.object = object_name(part.operation.object, stack.kind);
      }
    }
    // A stack has at least the function of the access and the one that started the task.
    stack.partial = record_.kind == FindingKind::data_race && &part != &participants_.front() && part.stack.count < 2;
    stack.blocked = part.blocked != 0;
    if (part.holder != kNoTask) {
      stack.holder = part.holder;
      mention(part.holder);
    }
    stack.whole = frames_of(part.stack);
    stack.frames = trimmed(stack.whole, stack.through);
    if (!is_about_memory(record_.kind)) return stack;
    // Interposed libc functions are ours by address, but the program called them.
    if (std::string called = called_function(part.stack); !called.empty()) stack.through = std::move(called);
    return stack;
  }

  // The innermost function that is not internal to the runtime: "free", "memcpy". Empty when the user's code or a
  // library made the access itself.
  std::string called_function(const StackRecord& stack) {
    std::string name;
    const std::size_t count = std::min<std::size_t>(stack.count, kMaxFrames);
    for (std::size_t i = 0; i < count; ++i) {
      const Frame& frame = symbols_.code(stack.frames[i]).back();
      if (!is_our_module(frame)) return name;
      const bool is_exported = frame.function.find("::") == std::string::npos && !frame.function.starts_with("__");
      name = is_exported ? frame.function : "";
    }
    return {};
  }

  std::vector<Frame> frames_of(const StackRecord& stack) {
    std::vector<Frame> frames;
    AddressKind kind = AddressKind::return_address;
    const std::size_t count = std::min<std::size_t>(stack.count, kMaxFrames);
    for (std::size_t i = 0; i < count; ++i) {
      if (symbols_.is_signal_return(stack.frames[i])) {
        // Before it is our handler; after it is where the program really was.
        if (std::all_of(frames.begin(), frames.end(), is_our_module)) frames.clear();
        kind = AddressKind::exact;
        continue;
      }
      const std::vector<Frame>& here = symbols_.code(stack.frames[i], kind);
      if (record_.kind == FindingKind::timeout && kind == AddressKind::exact && !here.empty()) {
        // Where in its loop the time limit struck is chance, and so is what was inlined there: only the function
        // counts.
        Frame function = here.back();
        function.line = 0;
        function.column = 0;
        function.offset = 0;
        frames.push_back(std::move(function));
      } else {
        frames.insert(frames.end(), here.begin(), here.end());
      }
      kind = AddressKind::return_address;
    }
    std::erase_if(frames, is_our_module);
    cut_at_explored_body(frames);
    // How threads start is not interesting, and differs between carriers.
    while (!frames.empty() && begins_a_thread(frames.back())) frames.pop_back();
    return frames;
  }

  // The frames a reader looks for; if there is only library code, that.
  std::vector<Frame> trimmed(std::vector<Frame> frames, std::string& through) const {
    const auto is_users = [](const Frame& frame) { return !is_library_frame(frame); };
    const auto last = std::find_if(frames.rbegin(), frames.rend(), is_users);
    if (last == frames.rend()) return frames;
    frames.erase(last.base(), frames.end());
    // A crash inside a library function is easier to understand with that function shown.
    if (record_.kind == FindingKind::signal) return frames;
    const auto first = std::find_if(frames.begin(), frames.end(), is_users);
    if (first != frames.begin()) through = std::prev(first)->function;
    frames.erase(frames.begin(), first);
    return frames;
  }

  // Empty when only library code is known: "gthr-default.h:749" helps no one.
  std::vector<Frame> taken_at(std::span<const std::uint64_t> addresses) {
    std::vector<Frame> frames;
    for (const std::uint64_t address : addresses) {
      if (address == 0) break;
      if (is_library_module(symbols_.module_path(address))) continue;
      for (const Frame& frame : symbols_.code(address)) {
        if (!is_library_frame(frame) && frame.line != 0) frames.push_back(frame);
      }
    }
    return frames;
  }

  ResolvedTask task_of(TaskId id) {
    ResolvedTask task;
    task.task = id;
    task.name = name_of(id);
    if (id < tasks_.size()) {
      task.creator = tasks_[id].creator;
      std::vector<std::uint64_t> calls = locals_.calls_of_creation(id);
      if (calls.empty()) {
        calls.push_back(tasks_[id].create_pc);
        calls.insert(calls.end(), std::begin(tasks_[id].created), std::end(tasks_[id].created));
      }
      if (task.creator != kNoTask) task.created_at = taken_at(calls);
    }
    return task;
  }

  std::string name_of(TaskId id) const { return id < tasks_.size() ? field_text(tasks_[id].name) : std::string(); }

  void mention(TaskId id) { mentioned_.insert(id); }

  LocalName local_at(std::uint64_t address, std::uint64_t size) {
    return locals_.at(address, size, created_, record_.step);
  }

  std::string object_name(std::uint64_t address, OperationKind otherwise) {
    auto [it, is_new] = names_.try_emplace(address);
    if (!is_new) return it->second;
    if (const DataName& global = symbols_.data(address); global.known()) {
      it->second = global.text();
      return it->second;
    }
    if (const LocalName local = local_at(address, 1); local.known()) {
      it->second = local.text();
      finding_.objects.push_back(
          {it->second, (local.data->offset == 0 && local.data->member.empty() ? "" : "in ") + local.place()});
      return it->second;
    }
    const auto kind = kind_of_.find(address);
    const ObjectNoun noun = object_noun(kind == kind_of_.end() ? otherwise : kind->second);
    it->second = fmt::format("{} {}{}", noun.word, noun.letter, ++numbers_[noun.letter]);
    if (const TaskId owner = locals_.stack_owner(address); owner != kNoTask) {
      finding_.objects.push_back({it->second, fmt::format("on the stack of {}", task_text(owner))});
    }
    return it->second;
  }

  // The variable at `address`; not known() for other memory.
  const DataName& variable_at(std::uint64_t address, std::uint64_t size) {
    // First what may have been labelled: no global variable is on a stack.
    if (const DataName& global = symbols_.data(address, size); global.known()) return global;
    if (const TaskId owner = thread_local_owner(address); owner != kNoTask) {
      return symbols_.thread_local_data(tasks_[owner].tls_high - address, size);
    }
    if (const LocalName local = local_at(address, size); local.known()) return *local.data;
    return symbols_.data(address, size);  // not known
  }

  TaskId thread_local_owner(std::uint64_t address) const {
    for (std::size_t id = 0; id < tasks_.size(); ++id) {
      if (tasks_[id].tls_low <= address && address < tasks_[id].tls_high) return static_cast<TaskId>(id);
    }
    return kNoTask;
  }

  bool in_block(std::uint64_t address) const {
    const HeapBlockRecord& block = record_.block;
    return block.start != 0 && address >= block.start && address - block.start < std::max<std::uint64_t>(block.size, 1);
  }

  // What is accessed, worded to follow "4 bytes of ...".
  std::string memory_name(std::uint64_t address, std::uint64_t size) {
    if (in_block(address)) return fmt::format("a heap block of {}", bytes_text(record_.block.size));
    const TaskId thread = thread_local_owner(address);  // first: a thread's block may lie inside its stack
    const DataName& variable = variable_at(address, size);
    if (thread != kNoTask) {
      return variable.known() ? fmt::format("thread_local {} of {}", variable.text(), task_text(thread))
                              : fmt::format("a thread_local variable of {}", task_text(thread));
    }
    if (const LocalName local = local_at(address, size); local.known()) return local.text();
    if (variable.known()) return variable.text();
    if (const TaskId owner = locals_.stack_owner(address); owner != kNoTask) {
      return fmt::format("a local variable of {}", task_text(owner));
    }
    return object_name(address, OperationKind::write);
  }

  ResolvedMemory memory_of() {
    ResolvedMemory memory;
    const std::uint64_t address = record_.address;
    if (address == 0) return memory;
    memory.name = memory_name(address, record_.size);
    if (record_.block.start != 0) memory.heap = heap_block();
    if (memory.heap) return memory;
    const DataName& variable = variable_at(address, record_.size);
    const TaskId thread = thread_local_owner(address);
    if (variable.known()) {
      std::string part;
      if (variable.size > record_.size) {
        part = fmt::format(", {} at offset {} of {}", bytes_text(record_.size), variable.offset, variable.size);
      }
      memory.variable = variable.name;
      if (const LocalName local = local_at(address, record_.size); thread == kNoTask && local.known()) {
        memory.variable = local.whole();
        memory.place = local.place(part);
        return memory;
      }
      memory.place = fmt::format("{} {}{}{}", thread == kNoTask ? "the global" : "the thread_local variable",
                                 variable.name, variable.type.empty() ? "" : fmt::format(" ({})", variable.type), part);
      if (variable.line != 0) memory.place += fmt::format(", declared at {}:{}", variable.file, variable.line);
    } else if (const TaskId owner = locals_.stack_owner(address); thread == kNoTask && owner != kNoTask) {
      memory.place = fmt::format("on the stack of {}", task_text(owner, name_of(owner)));
    }
    return memory;
  }

  ResolvedHeapBlock heap_block() {
    const HeapBlockRecord& record = record_.block;
    ResolvedHeapBlock block;
    block.size = record.size;
    block.offset = static_cast<std::int64_t>(record_.address - record.start);
    block.allocated_by = record.allocated_by;
    block.freed_by = record.freed_by;
    block.freed = record.freed_by != kNoTask || record_.kind == FindingKind::use_after_free ||
                  record_.kind == FindingKind::double_free;
    for (const TaskId task : {record.allocated_by, record.freed_by}) {
      if (task != kNoTask) mention(task);
    }
    std::string through;
    block.allocated_at = trimmed(frames_of(record.allocated), through);
    block.freed_at = trimmed(frames_of(record.freed), through);
    return block;
  }

  // " at bank.cpp:12", or nothing when the place is unknown.
  std::string at_text(std::uint64_t pc) {
    if (pc == 0) return {};
    const std::vector<Frame>& frames = symbols_.code(pc);
    const Frame* const frame = user_frame(frames);
    return frame == nullptr ? std::string() : fmt::format(" at {}", location_text(*frame));
  }

  // "T2 read 0 from `data` at mp.cpp:20, its initial value, although T1 had already stored 1 at mp.cpp:12"
  std::string weak_read_text(const WeakRead& read) {
    const Operation& operation = read.operation;
    const std::string object = object_name(operation.object, operation.kind);
    const std::string where = at_text(operation.pc);
    if (operation.kind == OperationKind::atomic_store) {
      return fmt::format("the store of {} to {}{} is ordered before the {} that {} had stored{} earlier",
                         task_text(operation.task), object, where, read.newest_value, task_text(read.newest_writer),
                         at_text(read.newest_pc));
    }
    const std::string origin = read.writer == kNoTask
                                   ? std::string("its initial value")
                                   : fmt::format("the store of {}{}", task_text(read.writer), at_text(read.writer_pc));
    return fmt::format("{} read {} from {}{}, {}, although {} had already stored {}{}", task_text(operation.task),
                       operation.value, object, where, origin, task_text(read.newest_writer), read.newest_value,
                       at_text(read.newest_pc));
  }

  std::string fault_text() {
    if (record_.signal_number != SIGSEGV && record_.signal_number != SIGBUS) return {};
    constexpr std::uint64_t kNullPage = 4096;
    constexpr std::uint64_t kGuard = 65536;
    const std::uint64_t address = record_.fault_address;
    if (address == 0) return "a null pointer";
    if (address < kNullPage) return fmt::format("a null pointer plus {} bytes", address);
    if (const DataName& global = symbols_.data(address); global.known()) return global.text();
    if (const TaskId owner = locals_.stack_owner(address); owner != kNoTask) {
      return fmt::format("the stack of {}", task_text(owner));
    }
    for (std::size_t id = 0; id < tasks_.size(); ++id) {
      const std::uint64_t low = tasks_[id].stack_low;
      if (low != 0 && address < low && low - address <= kGuard) {
        return fmt::format("memory just below the stack of {}: the stack has probably overflowed",
                           task_text(static_cast<TaskId>(id)));
      }
    }
    return {};
  }

  // Deadlocks and livelocks are described by their tasks; other kinds fall back to the sentence of the kind.
  std::string made_message() const {
    const bool tell = record_.kind == FindingKind::deadlock || record_.kind == FindingKind::lost_wakeup;
    if (tell && !finding_.stacks.empty()) {
      constexpr std::size_t kTold = 4;
      std::string text;
      for (std::size_t i = 0; i < finding_.stacks.size() && i < kTold; ++i) {
        const std::string part = hold_and_wait_text(finding_.stacks[i], Detail::brief);
        if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
      }
      if (text.empty()) return finding_sentence(record_.kind);
      if (finding_.stacks_total > kTold) text += fmt::format("; and {} more", finding_.stacks_total - kTold);
      return text;
    }
    if (is_about_memory(record_.kind) && record_.kind != FindingKind::data_race && !finding_.stacks.empty()) {
      return heap_message(finding_);
    }
    if (record_.kind == FindingKind::signal && record_.signal_number != 0) {
      const char* name = ::sigabbrev_np(record_.signal_number);
      return name == nullptr ? fmt::format("the program was killed by signal {}", record_.signal_number)
                             : fmt::format("the program was killed by SIG{}", name);
    }
    return finding_sentence(record_.kind);
  }

  // Identifies the bug, not the execution: no task ids, no addresses, no directories. Tasks that do the same count
  // once, so their number and order do not matter.
  std::string signature() {
    // Where such an execution was stopped is chance: only which functions the tasks were running counts.
    const bool by_task = record_.kind == FindingKind::livelock || record_.kind == FindingKind::timeout;
    std::multiset<std::string> places;
    if (is_about_memory(record_.kind)) {
      // A race is the pair of its accesses, in either order. A misused block is identified by the first place of
      // misuse: what else is known of its history depends on what was watched.
      const bool is_race = record_.kind == FindingKind::data_race;
      const std::string global = is_race ? racing_global() : "";
      for (std::size_t i = 0; i < (is_race ? 2 : 1) && i < finding_.stacks.size(); ++i) {
        const ResolvedStack& stack = finding_.stacks[i];
        const Frame* frame = user_frame(stack.frames);
        if (frame == nullptr) continue;
        const std::string column = is_race && global.empty() ? fmt::format(":{}", frame->column) : "";
        places.insert(fmt::format("{}{} {}", place_text(*frame), column, operation_name(stack.kind)));
      }
      if (!global.empty() && !places.empty()) places.insert("of " + global);
      return hashed(places);
    }
    for (const ResolvedStack& stack : finding_.stacks) {
      if (stack.frames.empty()) continue;
      const Frame* frame = user_frame(stack.frames);
      std::string place = by_task ? stack.frames.back().function : place_text(*frame);
      if (places.count(place) == 0) places.insert(std::move(place));
    }
    if (record_.kind == FindingKind::leak_of_lock) {
      // The task has ended by then; where the lock was taken identifies the bug.
      places.clear();
      for (const ResolvedStack& stack : finding_.stacks) {
        for (const HeldLock& lock : stack.held) {
          if (lock.taken_at.empty()) continue;
          const std::string place = place_text(lock.taken_at.front());
          if (places.count(place) == 0) places.insert(place);
        }
      }
    }
    return hashed(places);
  }

  // Several variables that race on one line are several races. A global that is accessed as a whole has its name for
  // that. Of the parts of others (elements, members, heap blocks) the column must tell: it is the same for all elements
  // of an array that a loop goes through.
  std::string racing_global() {
    if (record_.address == 0 || in_block(record_.address) || thread_local_owner(record_.address) != kNoTask) return {};
    const DataName& variable = symbols_.data(record_.address, record_.size);
    return variable.known() && variable.size <= record_.size ? variable.name : std::string();
  }

  static std::string place_text(const Frame& frame) {
    return fmt::format("{} {}:{}", frame.function, base_name(frame.file), frame.line);
  }

  std::string hashed(const std::multiset<std::string>& places) const {
    std::string text = finding_name(record_.kind);
    for (const std::string& place : places) text += "\n" + place;
    if (places.empty()) {
      // Not the message made here: it names more in an execution that was watched.
      const std::string message = field_text(record_.message);
      text += "\n" + (message.empty() ? std::string(finding_sentence(record_.kind)) : message);
    }
    std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return fmt::format("{:016x}", hash);
  }

  const FindingRecord& record_;
  std::span<const TaskRecord> tasks_;
  SymbolSource& symbols_;
  LocalVariables locals_;
  TaskId created_ = 0;  // tasks when the finding came about
  std::span<const ParticipantRecord> participants_;
  ResolvedFinding finding_;
  std::map<std::uint64_t, OperationKind> kind_of_;
  std::map<std::uint64_t, std::string> names_;
  std::map<char, unsigned> numbers_;
  std::set<TaskId> mentioned_;
};

}  // namespace

ResolvedFinding resolve_finding(const FindingRecord& record, std::span<const TaskRecord> tasks, SymbolSource& symbols,
                                std::span<const WeakRead> weak_reads, std::span<const CreationRecord> creations) {
  return Resolver(record, tasks, symbols, creations).resolve(weak_reads);
}

bool is_about_memory(FindingKind kind) {
  return kind == FindingKind::data_race || kind == FindingKind::use_after_free || kind == FindingKind::double_free ||
         kind == FindingKind::bad_free || kind == FindingKind::uninitialised_read;
}

std::uint64_t record_key(const FindingRecord& record) {
  std::uint64_t key = hash_mix(static_cast<std::uint64_t>(record.kind), record.signal_number);
  for (const char* c = record.message; c != std::end(record.message) && *c != '\0'; ++c) {
    key = hash_mix(key, static_cast<unsigned char>(*c));
  }
  const std::size_t count = std::min<std::size_t>(record.participants, kMaxParticipants);
  for (std::size_t i = 0; i < count; ++i) {
    const StackRecord& stack = record.participant[i].stack;
    key = hash_mix(key, stack.count);
    for (std::size_t f = 0; f < stack.count && f < kMaxFrames; ++f) key = hash_mix(key, stack.frames[f]);
  }
  return key;
}

void cut_at_explored_body(std::vector<Frame>& frames) {
  const auto calls_body = [](const Frame& frame) {
    return frame.file.ends_with("ravel/explore.h") && frame.function.find("run_body") != std::string::npos;
  };
  frames.erase(std::find_if(frames.begin(), frames.end(), calls_body), frames.end());
}

bool is_library_frame(const Frame& frame) {
  if (is_library_module(frame.module)) return true;
  if (frame.file.find("include/ravel/") != std::string::npos) return true;
  static constexpr std::string_view kHeaders[] = {"/usr/include/", "/usr/lib/", "/usr/local/lib/gcc/"};
  for (const std::string_view folder : kHeaders) {
    if (frame.file.starts_with(folder)) return true;
  }
  if (frame.file.find("/include/c++/") != std::string::npos) return true;
  if (frame.function == "_start" || frame.function == "_init" || frame.function == "_fini") return true;
  // Without debug information only the name can tell.
  if (!frame.file.empty()) return false;
  const std::string_view name = bare_name(frame.function);
  static constexpr std::string_view kNames[] = {"std::",     "__gnu_cxx::", "__gthread",
                                                "testing::", "Catch::",     "doctest::"};
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view known) { return name.starts_with(known); });
}

const Frame* user_frame(std::span<const Frame> frames) {
  for (const Frame& frame : frames) {
    if (!is_library_frame(frame)) return &frame;
  }
  return frames.empty() ? nullptr : &frames.front();
}

std::string location_text(const Frame& frame) {
  if (frame.line != 0) return fmt::format("{}:{}", frame.file, frame.line);
  if (frame.module.empty()) return frame.function == "??" ? "unknown code" : frame.function;
  if (frame.function == "??") return fmt::format("{}+{:#x}", base_name(frame.module), frame.offset);
  return fmt::format("{} in {}", frame.function, base_name(frame.module));
}

std::string task_text(TaskId task, const std::string& name) {
  if (task == kNoTask) return "a task";
  return name.empty() ? fmt::format("T{}", task) : fmt::format("T{} ({})", task, name);
}

std::string operation_text(const Operation& operation) {
  if (!is_operation(operation)) return {};
  if (!is_memory_access(operation.kind)) return operation_name(operation.kind);
  return fmt::format("{} {} {}", operation_name(operation.kind), operation.size,
                     operation.size == 1 ? "byte" : "bytes");
}

std::string waiting_text(const ResolvedStack& stack, Detail detail) {
  const auto lock = [&](const char* what) {
    if (stack.holder == kNoTask || (detail == Detail::brief && stack.holder != stack.task)) {
      return fmt::format("{} {}", what, stack.object);
    }
    if (stack.holder == stack.task) return fmt::format("{} {}, which it holds itself", what, stack.object);
    return fmt::format("{} {}, held by {}", what, stack.object, task_text(stack.holder));
  };
  switch (stack.kind) {
    case OperationKind::mutex_lock:
    case OperationKind::mutex_timed_lock:
    case OperationKind::spin_lock:
    case OperationKind::rwlock_write_lock:
      return lock("waits for");
    case OperationKind::rwlock_read_lock:
      return lock("waits for read access to");
    case OperationKind::task_join:
      return fmt::format("waits for {} to end", stack.object);
    case OperationKind::condition_wait:
    case OperationKind::condition_timed_wait:
    case OperationKind::condition_wake:
      return fmt::format("waits to be notified on {}", stack.object);
    case OperationKind::futex_wait:
      return fmt::format("waits to be woken on {}", stack.object);
    case OperationKind::semaphore_wait:
      return fmt::format("waits for a post to {}", stack.object);
    case OperationKind::barrier_wait:
      return fmt::format("waits for the others at {}", stack.object);
    case OperationKind::sync_wait:
      return fmt::format("waits for {} of the race test", stack.object);
    case OperationKind::once_begin:
    case OperationKind::guard_acquire:
      return stack.holder == kNoTask
                 ? fmt::format("waits for the initialisation of {}", stack.object)
                 : fmt::format("waits for the initialisation of {} by {}", stack.object, task_text(stack.holder));
    case OperationKind::io:
      return "waits for input or output";
    case OperationKind::sleep:
      return "sleeps";
    default:
      break;
  }
  if (stack.operation.empty()) return "waits";
  if (is_memory_access(stack.kind)) return fmt::format("waits for {} to change", stack.object);
  return stack.object.empty() ? fmt::format("waits in {}", stack.operation)
                              : fmt::format("waits in {} on {}", stack.operation, stack.object);
}

std::string hold_and_wait_text(const ResolvedStack& stack, Detail detail) {
  std::string text = task_text(stack.task, stack.task_name);
  std::size_t told = 0;
  for (const HeldLock& lock : stack.held) {
    if (told == 0) {
      text += " holds ";
    } else {
      text += told + 1 == stack.held.size() ? " and " : ", ";
    }
    text += lock.object;
    if (detail == Detail::complete && !lock.taken_at.empty()) {
      text += fmt::format(" ({})", location_text(lock.taken_at.front()));
    }
    ++told;
  }
  if (stack.blocked) return text + (told == 0 ? " " : " and ") + waiting_text(stack, detail);
  return told == 0 ? std::string() : text;
}

std::vector<TaskId> waiting_cycle(const ResolvedFinding& finding) {
  const auto next = [&](TaskId task) {
    for (const ResolvedStack& stack : finding.stacks) {
      if (stack.task == task && stack.blocked) return stack.holder;
    }
    return kNoTask;
  };
  for (const ResolvedStack& start : finding.stacks) {
    std::vector<TaskId> cycle;
    for (TaskId at = start.task; at != kNoTask && cycle.size() <= finding.stacks.size(); at = next(at)) {
      if (!cycle.empty() && at == start.task) return cycle;
      cycle.push_back(at);
    }
  }
  return {};
}

}  // namespace ravel
