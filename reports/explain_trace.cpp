// SPDX-License-Identifier: Apache-2.0
#include "reports/explain_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "reports/access_words.h"
#include "reports/local_variables.h"
#include "reports/step_orders.h"

namespace ravel {
namespace {

bool is_wait_on_condition(OperationKind kind) {
  return kind == OperationKind::condition_wait || kind == OperationKind::condition_timed_wait;
}

bool only_reads(OperationKind kind) { return operation_role(kind) == OperationRole::reads; }

class Explainer {
 public:
  Explainer(const TracedExecution& execution, const FindingRecord& record, const ResolvedFinding& finding,
            const std::optional<DecidingSteps>& deciding, SymbolSource& symbols, const SourceText& source)
      : execution_(execution),
        trace_(execution.trace),
        stacks_(execution.stacks),
        record_(record),
        finding_(finding),
        deciding_(deciding),
        symbols_(symbols),
        source_(source),
        locals_(execution.tasks, execution.creations, symbols),
        created_(locals_.created_by(record.step)) {}

  Explanation explain() {
    result_.kind = finding_.kind;
    result_.preemptions = execution_.preemptions;
    result_.all_steps = trace_.size();
    result_.cut = execution_.cut;
    name_as_the_finding_does();
    weigh_objects();
    add_steps();
    add_waiting();
    result_.failing_task = finding_.task;
    result_.failure = failure_text();
    if (!finding_.stacks.empty()) {
      if (const Frame* const frame = user_frame(finding_.stacks.front().frames)) result_.place = short_place(*frame);
    }
    summarise();
    add_cause();
    add_tasks();
    fold();
    add_orders();
    add_passing();
    return std::move(result_);
  }

 private:
  // -- names

  // Numbers are given in order of appearance, so what the finding names comes first, as in its report.
  void name_as_the_finding_does() {
    const std::span parts(record_.participant, std::min<std::size_t>(record_.participants, kMaxParticipants));
    for (const TraceEvent& event : trace_) remember_kind(event.operation);
    for (const Operation& operation : execution_.waiting) remember_kind(operation);
    for (const ParticipantRecord& part : parts) remember_kind(part.operation);
    for (const ParticipantRecord& part : parts) {
      for (std::size_t i = 0; i < std::size(part.held) && part.held[i] != 0; ++i) lock_name(part.held[i]);
      if (has_object(part.operation) && !object_is_task(part.operation.kind) &&
          !is_memory_access(part.operation.kind)) {
        lock_name(part.operation.object);
      }
    }
  }

  void remember_kind(const Operation& operation) {
    if (has_object(operation) && !object_is_task(operation.kind) && !is_memory_access(operation.kind)) {
      kind_of_.emplace(operation.object, operation.kind);
    }
  }

  std::string numbered(std::uint64_t address, const char* word, char letter) {
    std::string name = fmt::format("{}{}{}{}", word, *word == '\0' ? "" : " ", letter, ++numbers_[letter]);
    if (const TaskId owner = locals_.stack_owner(address); owner != kNoTask) {
      result_.objects.push_back({name, fmt::format("on the stack of {}", task_text(owner))});
    }
    return name;
  }

  std::string lock_name(std::uint64_t address) {
    auto [entry, is_new] = names_.try_emplace(address);
    if (!is_new) return entry->second;
    if (const DataName& global = symbols_.data(address); global.known()) {
      entry->second = global.text();
    } else if (const LocalName local = locals_.at(address, 1, created_, record_.step); local.known()) {
      entry->second = local.text();
    } else {
      const auto kind = kind_of_.find(address);
      const ObjectNoun noun = object_noun(kind == kind_of_.end() ? OperationKind::mutex_lock : kind->second);
      entry->second = numbered(address, noun.word, noun.letter);
    }
    return entry->second;
  }

  const DataName& variable_at(std::uint64_t address, std::uint64_t size) {
    if (const DataName& global = symbols_.data(address, size); global.known()) return global;
    for (const TaskRecord& task : execution_.tasks) {
      if (task.tls_low <= address && address < task.tls_high) {
        return symbols_.thread_local_data(task.tls_high - address, size);
      }
    }
    if (const LocalName local = locals_.at(address, size, created_, record_.step); local.known()) return *local.data;
    return symbols_.data(address, size);
  }

  std::string memory_name(const Operation& operation) {
    if (const LocalName local = locals_.at(operation.object, operation.size, created_, record_.step); local.known()) {
      return local.text();
    }
    if (const DataName& variable = variable_at(operation.object, operation.size); variable.known()) {
      return variable.text();
    }
    auto [entry, is_new] = memory_names_.try_emplace(operation.object);
    if (is_new) {
      const bool local = locals_.stack_owner(operation.object) != kNoTask;
      entry->second = numbered(operation.object, "", local ? 'V' : 'O');
    }
    return entry->second;
  }

  std::string object_name(const Operation& operation) {
    if (!has_object(operation)) return {};
    if (object_is_task(operation.kind)) return task_text(static_cast<TaskId>(operation.object));
    if (is_memory_access(operation.kind) || operation.kind == OperationKind::heap_free) return memory_name(operation);
    return lock_name(operation.object);
  }

  // -- what matters

  static std::uint64_t key_of(const Operation& operation) {
    return is_memory_access(operation.kind) ? operation.object & ~std::uint64_t{7} : operation.object;
  }

  bool has_key(const Operation& operation) const {
    return has_object(operation) && !object_is_task(operation.kind) &&
           operation_role(operation.kind) != OperationRole::local;
  }

  void weigh_objects() {
    struct Use {
      std::set<TaskId> tasks;
      bool written = false;
    };
    std::map<std::uint64_t, Use> uses;
    const auto use = [&](const Operation& operation) {
      if (!has_key(operation)) return;
      Use& entry = uses[key_of(operation)];
      entry.tasks.insert(operation.task);
      entry.written = entry.written || !only_reads(operation.kind);
    };
    for (const TraceEvent& event : trace_) use(event.operation);
    for (const Operation& operation : execution_.waiting) use(operation);
    for (const auto& [key, entry] : uses) {
      if (entry.tasks.size() > 1 && entry.written) weights_[key] = Weight::shared;
    }
    const auto relate = [&](const Operation& operation) {
      if (has_key(operation)) weights_[key_of(operation)] = Weight::related;
    };
    const std::span parts(record_.participant, std::min<std::size_t>(record_.participants, kMaxParticipants));
    for (const ParticipantRecord& part : parts) {
      relate(part.operation);
      for (std::size_t i = 0; i < std::size(part.held) && part.held[i] != 0; ++i) {
        weights_[part.held[i]] = Weight::related;
      }
    }
    if (record_.address != 0) weights_[record_.address & ~std::uint64_t{7}] = Weight::related;
    if (!deciding_) return;
    for (const std::size_t index : deciding_indices()) relate(trace_[index].operation);
  }

  std::vector<std::size_t> deciding_indices() const {
    std::vector<std::size_t> indices;
    if (!deciding_ || tells_passing_) return indices;
    indices.push_back(deciding_->first);
    if (!deciding_->missing) indices.push_back(deciding_->second);
    if (deciding_->third) indices.push_back(*deciding_->third);
    if (deciding_->also) indices.insert(indices.end(), {deciding_->also->first, deciding_->also->second});
    std::erase_if(indices, [this](std::size_t index) { return index >= trace_.size(); });
    return indices;
  }

  // Of very long executions: the beginning, the end, and what is around the deciding steps.
  bool is_worth_telling(std::size_t index) const {
    constexpr std::size_t kShort = 50'000;
    constexpr std::size_t kAround = 2'000;
    if (trace_.size() <= kShort || index < kAround || index + kAround >= trace_.size()) return true;
    for (const std::size_t deciding : deciding_indices()) {
      if (index + kAround > deciding && index < deciding + kAround) return true;
    }
    return false;
  }

  // -- steps

  void add_steps() {
    const TaskId at_the_end = std::exchange(created_, 2);  // a trace begins with the creation of T1
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      const Operation& operation = trace_[i].operation;
      if (operation.kind == OperationKind::task_create) {
        created_ = std::max(created_, static_cast<TaskId>(operation.object + 1));
      }
      if (is_worth_telling(i)) {
        add_step(i);
      } else {
        follow_locks(i);
        result_.cut = true;
      }
    }
    created_ = at_the_end;
  }

  void add_step(std::size_t index) {
    const TraceEvent& event = trace_[index];
    const Operation& operation = event.operation;
    ExplainedStep step;
    step.number = index + 1;
    step.task = operation.task;
    step.kind = operation.kind;
    step.object = object_name(operation);
    add_values(step, event);
    add_note(step, index);
    for (const std::uint64_t lock : held_[operation.task]) step.held.push_back(lock_name(lock));
    if (is_wait_on_condition(operation.kind)) step.releases = lock_name(operation.value);
    follow_locks(index);
    step.stack = stack_at(index);
    if (!step.stack.empty()) step.source = source_(step.stack.front());
    step.weight = weight_of(operation);
    if (!step.note.empty()) step.weight = std::max(step.weight, Weight::related);
    const std::vector<std::size_t> deciding = deciding_indices();
    for (std::size_t i = 0; i < deciding.size(); ++i) {
      if (deciding[i] != index) continue;
      step.mark = static_cast<std::uint32_t>(i) + 1;
      step.weight = Weight::cause;
    }
    if (step.mark == 0 && reports_failure(step.stack)) return;
    if (index + 1 < trace_.size() && trace_[index + 1].operation.task != operation.task) add_reason(step, index);
    result_.steps.push_back(std::move(step));
  }

  // GoogleTest locks what it keeps while it reports a failed assertion: that says nothing about the test.
  static bool reports_failure(const std::vector<Frame>& stack) {
    return std::any_of(stack.begin(), stack.end(), [](const Frame& frame) {
      return frame.function.starts_with("testing::UnitTest::AddTestPartResult") ||
             frame.function.starts_with("testing::internal::AssertHelper");
    });
  }

  Weight weight_of(const Operation& operation) const {
    if (operation.kind == OperationKind::task_create || operation.kind == OperationKind::task_join) {
      return Weight::shared;
    }
    if (!has_key(operation)) return Weight::alone;
    const auto entry = weights_.find(key_of(operation));
    return entry == weights_.end() ? Weight::alone : entry->second;
  }

  void add_values(ExplainedStep& step, const TraceEvent& event) {
    const Operation& operation = event.operation;
    if (!is_memory_access(operation.kind)) return;
    const ValueKind kind = variable_at(operation.object, operation.size).kind;
    if ((event.flags & kTraceBeforeKnown) != 0) step.before = value_text(event.before, operation.size, kind);
    if ((event.flags & kTraceAfterKnown) != 0) step.after = value_text(event.after, operation.size, kind);
    step.older_store = (event.flags & kTraceOlderStore) != 0;
  }

  // Time-outs, and what the environment answered otherwise than usual. A wake-up is told where the wait ends.
  void add_note(ExplainedStep& step, std::size_t index) {
    if (tells_passing_) return;
    for (; next_answer_ < execution_.answers.size() && execution_.answers[next_answer_].index <= index;
         ++next_answer_) {
      if (execution_.answers[next_answer_].index != index) continue;
      switch (execution_.answers[next_answer_].kind) {
        case EnvironmentKind::spurious_wakeup:
          wakes_for_nothing_.insert(step.task);
          break;
        case EnvironmentKind::weak_failure:
          step.note = "fails without a reason";
          break;
        case EnvironmentKind::short_sleep:
          ends_at_once_.insert(step.task);
          break;
        case EnvironmentKind::early_timeout:
        case EnvironmentKind::notify_target:
        case EnvironmentKind::choose:
          break;
      }
    }
    if ((trace_[index].flags & kTraceTimedOut) != 0) step.note = "its time is up";
    if (step.kind == OperationKind::sleep && ends_at_once_.erase(step.task) != 0)
      step.note = "ends before others go on";
    const bool ends_wait = step.kind == OperationKind::condition_wake ||
                           (step.kind == OperationKind::futex_wait && trace_[index].operation.value == kFutexWaitEnds);
    if (ends_wait && wakes_for_nothing_.erase(step.task) != 0) step.note = "nobody notified it";
  }

  void follow_locks(std::size_t index) {
    const Operation& operation = trace_[index].operation;
    std::vector<std::uint64_t>& held = held_[operation.task];
    const auto drop = [&](std::uint64_t lock) {
      const auto found = std::find(held.rbegin(), held.rend(), lock);
      if (found != held.rend()) held.erase(std::next(found).base());
    };
    if (waits_for_lock(operation.kind) || (tries_lock(operation.kind) && is_released_next(trace_, index))) {
      held.push_back(operation.object);
      followed_.insert(operation.object);
    } else if (releases_lock(operation.kind)) {
      drop(operation.object);
    } else if (is_wait_on_condition(operation.kind)) {
      drop(operation.value);
    }
    // After a wake-up a separate operation takes the mutex.
  }

  std::vector<Frame> stack_at(std::size_t index) {
    return frames_of(trace_[index].operation, index < stacks_.size() ? stacks_[index] : StackRecord{});
  }

  std::vector<Frame> frames_of(const Operation& operation, const StackRecord& stack) {
    std::vector<Frame> frames;
    const auto add = [&](std::uint64_t address) {
      const std::vector<Frame>& here = address == operation.pc ? symbols_.code_of(operation) : symbols_.code(address);
      frames.insert(frames.end(), here.begin(), here.end());
    };
    for (std::size_t i = 0; i < std::min<std::size_t>(stack.count, kMaxFrames); ++i) add(stack.frames[i]);
    if (stack.count == 0 && operation.pc != 0) add(operation.pc);
    return trimmed(std::move(frames));
  }

  static std::vector<Frame> trimmed(std::vector<Frame> frames) {
    cut_at_explored_body(frames);
    const auto is_users = [](const Frame& frame) { return !is_library_frame(frame) && frame.function != "??"; };
    const auto last = std::find_if(frames.rbegin(), frames.rend(), is_users);
    if (last == frames.rend()) return {};
    frames.erase(last.base(), frames.end());
    frames.erase(frames.begin(), std::find_if(frames.begin(), frames.end(), is_users));
    return frames;
  }

  // Why the next step is another task's.
  void add_reason(ExplainedStep& step, std::size_t index) {
    if ((trace_[index + 1].flags & kTracePreempts) != 0) {
      step.leaves = SwitchReason::preempted;
      return;
    }
    if (step.kind == OperationKind::task_end || step.kind == OperationKind::program_exit) {
      step.leaves = SwitchReason::ended;
      return;
    }
    const Operation* next = nullptr;
    for (std::size_t i = index + 1; i < trace_.size() && next == nullptr; ++i) {
      if (trace_[i].operation.task == step.task) next = &trace_[i].operation;
    }
    if (next == nullptr) {
      const auto waiting = std::find_if(execution_.waiting.begin(), execution_.waiting.end(),
                                        [&](const Operation& operation) { return operation.task == step.task; });
      if (waiting != execution_.waiting.end()) next = &*waiting;
    }
    if (next == nullptr) {  // it had not gone on when the process died
      step.leaves = SwitchReason::waits;
      return;
    }
    add_wait(step, *next);
  }

  void add_wait(ExplainedStep& step, const Operation& next) {
    step.leaves_for = object_name(next);
    if (waits_for_lock(next.kind)) {
      step.leaves = SwitchReason::blocked;
      for (const auto& [task, locks] : held_) {
        if (std::find(locks.begin(), locks.end(), next.object) != locks.end()) step.holder = task;
      }
      // Taken and given back, and nobody has it: the task could have gone on.
      if (step.holder == kNoTask && followed_.contains(next.object) && !is_blocked(next)) {
        step.leaves = SwitchReason::preempted;
        step.leaves_for.clear();
      }
    } else if (next.kind == OperationKind::yield) {
      step.leaves = SwitchReason::yielded;
    } else if (next.kind == OperationKind::sleep) {
      step.leaves = SwitchReason::sleeps;
    } else if (is_memory_access(next.kind) || tries_lock(next.kind)) {
      step.leaves = SwitchReason::spins;
    } else {
      step.leaves = SwitchReason::waits;
    }
  }

  // A task that is about to take a lock that nobody holds does not wait for it: it merely was not its turn.
  bool is_blocked(const Operation& operation) const {
    const std::span parts(record_.participant, std::min<std::size_t>(record_.participants, kMaxParticipants));
    const bool known = std::any_of(parts.begin(), parts.end(), [&](const ParticipantRecord& part) {
      return part.operation.task == operation.task && part.blocked != 0;
    });
    return known || std::any_of(held_.begin(), held_.end(), [&](const auto& entry) {
             return std::find(entry.second.begin(), entry.second.end(), operation.object) != entry.second.end();
           });
  }

  // What tasks waited for when none could continue goes after their last step.
  void add_waiting() {
    const bool stuck = finding_.kind == FindingKind::deadlock || finding_.kind == FindingKind::lost_wakeup ||
                       finding_.kind == FindingKind::livelock;
    if (!stuck) return;
    for (const Operation& operation : execution_.waiting) {
      const auto last = std::find_if(result_.steps.rbegin(), result_.steps.rend(),
                                     [&](const ExplainedStep& step) { return step.task == operation.task; });
      if (last == result_.steps.rend()) continue;
      add_wait(*last, operation);
      last->weight = std::max(last->weight, Weight::related);
    }
  }

  // -- words

  // One line; the place is printed separately.
  std::string failure_text() const {
    std::string text = finding_.message.substr(0, finding_.message.find('\n'));
    if (finding_.kind == FindingKind::assertion) text = text.substr(0, text.rfind(" failed at "));
    return text;
  }

  static std::string short_place(const Frame& frame) {
    if (frame.line == 0) return location_text(frame);
    return fmt::format("{}:{}", base_name(frame.file), frame.line);
  }

  static std::string place_of(const ExplainedStep& step) {
    return step.stack.empty() ? std::string() : fmt::format(" at {}", short_place(step.stack.front()));
  }

  // "read `balance`", "took `mutex M1`".
  static std::string did(const ExplainedStep& step) {
    const std::string object = step.object.empty() ? std::string() : fmt::format(" `{}`", step.object);
    const auto value = [](const std::string& text) {
      return text.empty() ? std::string() : fmt::format(" ({})", text);
    };
    switch (step.kind) {
      case OperationKind::read:
      case OperationKind::atomic_load:
        return fmt::format("read{}{}", object, value(step.before));
      case OperationKind::write:
      case OperationKind::atomic_store:
        return fmt::format("wrote{}{}", object, value(step.after));
      case OperationKind::read_write:
      case OperationKind::atomic_rmw:
      case OperationKind::atomic_cas:
        return fmt::format("changed{}{}", object, value(step.after));
      case OperationKind::mutex_lock:
      case OperationKind::mutex_timed_lock:
      case OperationKind::rwlock_read_lock:
      case OperationKind::rwlock_write_lock:
      case OperationKind::spin_lock:
        return fmt::format("took{}", object);
      case OperationKind::rwlock_queue_writer:
        return fmt::format("queued for write access to{}", object);
      case OperationKind::mutex_unlock:
      case OperationKind::rwlock_unlock:
      case OperationKind::spin_unlock:
        return fmt::format("released{}", object);
      case OperationKind::condition_signal:
      case OperationKind::condition_broadcast:
        return fmt::format("notified{}", object);
      case OperationKind::condition_wait:
      case OperationKind::condition_timed_wait:
        return fmt::format("began to wait on{}", object);
      case OperationKind::heap_free:
        return fmt::format("freed{}", object);
      default:
        return fmt::format("did {} on{}", operation_name(step.kind), object);
    }
  }

  const ExplainedStep* marked(std::uint32_t mark) const {
    for (const ExplainedStep& step : result_.steps) {
      if (step.mark == mark) return &step;
    }
    return nullptr;
  }

  void summarise() {
    const bool told = deciding_ && waiting_cycle(finding_).empty();
    if (finding_.kind == FindingKind::deadlock && !told && summarise_deadlock()) return;
    const ExplainedStep* const first = marked(1);
    const ExplainedStep* const second = marked(2);
    if (first != nullptr && second != nullptr) {
      summarise_pair(*first, *second, deciding_->also ? nullptr : marked(3));
      if (deciding_->also) summarise_second_pair();
    } else if (first != nullptr && deciding_->missing) {
      summarise_missing(*first, *deciding_->missing);
    } else if (finding_.kind == FindingKind::data_race) {
      result_.summary.push_back(finding_.message + ".");
    } else {
      result_.summary.push_back(trace_.empty() ? std::string("The program ran only one task.")
                                               : std::string("No single order of two operations decides."));
    }
    std::string end = fmt::format("Then {}{}", result_.failing_task == kNoTask ? "" : task_text(result_.failing_task),
                                  result_.failing_task == kNoTask ? "the program failed" : " failed");
    if (finding_.kind == FindingKind::data_race) {
      result_.summary.push_back("Nothing orders the two: neither a lock held by both nor any other synchronisation.");
      return;
    }
    if (!result_.place.empty()) end += fmt::format(" at {}", result_.place);
    const bool stuck = finding_.kind == FindingKind::lost_wakeup || finding_.kind == FindingKind::livelock ||
                       finding_.kind == FindingKind::deadlock;
    result_.summary.push_back(stuck ? fmt::format("In the end, {}.", result_.failure)
                                    : fmt::format("{}: {}", end, result_.failure));
    if (!deciding_ || first == nullptr) return;
    if (deciding_->kind != CauseKind::order) {
      result_.summary.push_back(remedy());
    } else if (second != nullptr || deciding_->missing) {
      tell_otherwise(second);
    }
  }

  // What was seen when the pair was the other way round.
  void tell_otherwise(const ExplainedStep* second) {
    const TrialCounts& trials = deciding_->trials;
    const std::string passes = deciding_->passes_otherwise
                                   ? std::string("passes")
                                   : fmt::format("passed {} of {} times", trials.passed_otherwise, trials.otherwise());
    if (!deciding_->passes_otherwise && trials.otherwise() == 0) return;
    const std::string when = deciding_->missing ? fmt::format("With {} first", task_text(deciding_->missing->task))
                             : deciding_->weak
                                 ? fmt::format("When {} sees the newest value there", task_text(second->task))
                             : deciding_->also ? std::string("With one of them the other way round")
                                               : std::string("With (2) before (1)");
    result_.summary.push_back(fmt::format("{}, the program {}.", when, passes));
  }

  // What is wrong about a wait or an answer of the environment.
  std::string wait_sentence(const ExplainedStep& first, const ExplainedStep& second) const {
    const std::string one = fmt::format("(1) {} {}{}", task_text(first.task), did(first), place_of(first));
    const std::string other = fmt::format("(2) {} {}{}", task_text(second.task), did(second), place_of(second));
    const auto place = [](const ExplainedStep& step) { return place_of(step); };
    switch (deciding_->kind) {
      case CauseKind::unheard:
        return fmt::format("{}, before {}: nobody heard the notification.", one, other);
      case CauseKind::woke_another:
        return fmt::format("{} and woke {}, which could not use it and (2) waited again{}.", one,
                           task_text(second.task), place(second));
      case CauseKind::wrong_condition:
        return fmt::format("{}; then {}, which does not wake {}.", one, other, task_text(first.task));
      case CauseKind::timed_out:
        return fmt::format("(1) {} waited on `{}`{} and its time was up before {}.", task_text(first.task),
                           first.object, place(first), other);
      case CauseKind::spurious_wakeup:
        return fmt::format("{} and (2) went on although nobody had notified it.", one);
      case CauseKind::circle:
        return fmt::format("(1) {} waits for `{}`{}, and (2) {} for `{}`{}: each has taken what the other needs.",
                           task_text(first.task), first.object, place(first), task_text(second.task), second.object,
                           place(second));
      case CauseKind::weak_failure: {
        const bool is_first = weak_failure_is_first();
        const std::string failed = fmt::format("compare-exchange of `{}`{} failed without a reason",
                                               (is_first ? first : second).object, place(is_first ? first : second));
        if (is_first) return fmt::format("(1) {}'s {}, before {}.", task_text(first.task), failed, other);
        return first.task == second.task ? fmt::format("{}, and (2) its {}.", one, failed)
                                         : fmt::format("{}, and (2) {}'s {}.", one, task_text(second.task), failed);
      }
      default:
        return fmt::format("{}, before {}.", one, other);
    }
  }

  bool weak_failure_is_first() const {
    return std::any_of(execution_.answers.begin(), execution_.answers.end(), [this](const UnusualAnswer& answer) {
      return answer.kind == EnvironmentKind::weak_failure && answer.index == deciding_->first;
    });
  }

  // The waiter looked at something, and it was changed before the notification that it did not hear: without the lock,
  // or the waiter would have had to let go of it first.
  std::string remedy_for_unheard() {
    const TaskId notifier = trace_[deciding_->first].operation.task;
    const Operation& wait = trace_[deciding_->second].operation;
    std::set<std::uint64_t> changed;
    for (std::size_t i = deciding_->first; i-- > 0;) {
      const Operation& operation = trace_[i].operation;
      if (operation.task == wait.task && operation.object == wait.value && takes_lock(operation.kind)) break;
      if (!is_memory_access(operation.kind)) continue;
      if (operation.task == notifier && !only_reads(operation.kind)) changed.insert(operation.object);
      if (operation.task != wait.task || !changed.contains(operation.object)) continue;
      return fmt::format("Hold `{}` while changing `{}`.", lock_name(wait.value), memory_name(operation));
    }
    return "Wait with a predicate, and hold the lock while changing what it looks at.";
  }

  // Whether the program passes otherwise, and what to do.
  std::string remedy() {
    const bool passes = deciding_->passes_otherwise;
    const auto told = [&](const char* otherwise, const std::string& remedy) {
      return passes ? fmt::format("{}, the program passes. {}", otherwise, remedy) : remedy;
    };
    switch (deciding_->kind) {
      case CauseKind::unheard:
        return told("With (2) before (1)", remedy_for_unheard());
      case CauseKind::woke_another:
        return told("When (1) wakes another task", "Use notify_all, or one condition variable for each side.");
      case CauseKind::wrong_condition:
        return told("With (2) before (1)", "Notify the condition variable that (1) waits on as well.");
      case CauseKind::timed_out:
        return told("When it does not time out", "Look at what the wait returns: the time can always be up.");
      case CauseKind::circle:
        return "Take them in the same order everywhere.";
      case CauseKind::spurious_wakeup:
        return told("Without this wake-up", "Wait with a predicate.");
      case CauseKind::weak_failure:
        return told("When it does not fail",
                    "A weak compare-exchange may always fail: repeat it, or use the strong one.");
      case CauseKind::order:
        break;
    }
    return {};
  }

  void summarise_pair(const ExplainedStep& first, const ExplainedStep& second, const ExplainedStep* third) {
    if (deciding_->kind != CauseKind::order) {
      result_.summary.push_back(wait_sentence(first, second));
      return;
    }
    const std::string a = fmt::format("(1) {} {}{}", task_text(first.task), did(first), place_of(first));
    if (deciding_->weak) {
      result_.summary.push_back(
          fmt::format("{}, but (2) {} still {}{}.", a, task_text(second.task), did(second), place_of(second)));
      return;
    }
    const bool same = first.object == second.object;
    std::string b = fmt::format("(2) {} {}{}", task_text(second.task), did(second), place_of(second));
    if (same && only_reads(first.kind) && !only_reads(second.kind) && is_memory_access(second.kind)) {
      b = fmt::format("(2) {} changed it{}{}", task_text(second.task),
                      second.after.empty() ? "" : fmt::format(" to {}", second.after), place_of(second));
      if (third != nullptr && third->object != first.object) {
        result_.summary.push_back(
            fmt::format("{}, {} before (3) {} {}{}.", a, b, task_text(third->task), did(*third), place_of(*third)));
      } else if (third != nullptr && !only_reads(third->kind)) {
        result_.summary.push_back(
            fmt::format("{}, {} before (3) {} wrote it back{}.", a, b, task_text(third->task), place_of(*third)));
      } else if (third != nullptr) {
        result_.summary.push_back(
            fmt::format("{}, {} before (3) {} read it again{}.", a, b, task_text(third->task), place_of(*third)));
      } else {
        result_.summary.push_back(fmt::format("{}, and then {}.", a, b));
      }
      return;
    }
    if (third != nullptr && same) {
      result_.summary.push_back(
          fmt::format("{}, {} before (3) {} {}{}.", a, b, task_text(third->task), did(*third), place_of(*third)));
      return;
    }
    result_.summary.push_back(fmt::format("{}, before {}.", a, b));
  }

  void summarise_second_pair() {
    const ExplainedStep* const first = marked(3);
    const ExplainedStep* const second = marked(4);
    if (first == nullptr || second == nullptr) return;
    result_.summary.push_back(fmt::format("And (3) {} {}{}, before (4) {} {}{}: only both together fail.",
                                          task_text(first->task), did(*first), place_of(*first),
                                          task_text(second->task), did(*second), place_of(*second)));
  }

  // Before loops are folded: a deciding step may be in one of their rounds.
  void add_cause() {
    const auto told = [this](std::uint32_t mark) -> std::optional<DecidingOperation> {
      const ExplainedStep* const step = marked(mark);
      if (step == nullptr) return std::nullopt;
      return DecidingOperation{*step, operation_text(trace_[step->number - 1].operation)};
    };
    const std::optional<DecidingOperation> first = told(1);
    if (!first) return;
    ExplainedCause cause;
    cause.first = *first;
    if (deciding_->missing) {
      cause.second = {step_of(*deciding_->missing), operation_text(*deciding_->missing)};
      cause.second_happened = false;
    } else if (const std::optional<DecidingOperation> second = told(2)) {
      cause.second = *second;
      const std::optional<DecidingOperation> third = told(3);
      const std::optional<DecidingOperation> fourth = told(4);
      if (!deciding_->also) {
        cause.third = third;
      } else if (third && fourth) {
        cause.also = {*third, *fourth};
      }
    } else {
      return;
    }
    cause.passes_otherwise = deciding_->passes_otherwise;
    cause.trials = deciding_->trials;
    cause.older_store = deciding_->weak;
    cause.kind = deciding_->kind;
    result_.cause = std::move(cause);
  }

  // An operation that was not performed.
  ExplainedStep step_of(const Operation& operation) {
    ExplainedStep step;
    step.task = operation.task;
    step.kind = operation.kind;
    step.object = object_name(operation);
    step.stack = frames_of(operation, deciding_->missing_stack);
    return step;
  }

  void summarise_missing(const ExplainedStep& first, const Operation& missing) {
    const ExplainedStep other = step_of(missing);
    if (deciding_->kind != CauseKind::order) {
      result_.summary.push_back(wait_sentence(first, other));
      return;
    }
    result_.summary.push_back(fmt::format("(1) {} {}{}, before {} {}{}.", task_text(first.task), did(first),
                                          place_of(first), task_text(other.task), did(other), place_of(other)));
  }

  bool summarise_deadlock() {
    for (const ResolvedStack& stack : finding_.stacks) {
      if (!stack.blocked) continue;
      result_.summary.push_back(deadlock_sentence(stack));
      if (result_.summary.size() == 3) break;
    }
    return !result_.summary.empty();
  }

  // "T1 took `a` at bank.cpp:12 and at bank.cpp:13 waits for `b`, held by T2."
  static std::string deadlock_sentence(const ResolvedStack& stack) {
    std::string text = task_text(stack.task, stack.task_name);
    for (std::size_t i = 0; i < stack.held.size(); ++i) {
      const HeldLock& lock = stack.held[i];
      text += fmt::format("{} `{}`", i == 0 ? " took" : " and", lock.object);
      if (!lock.taken_at.empty()) text += fmt::format(" at {}", short_place(lock.taken_at.front()));
    }
    if (!stack.held.empty()) text += " and";
    if (const Frame* const frame = user_frame(stack.frames)) text += fmt::format(" at {}", short_place(*frame));
    return text + " " + waiting_text(stack, Detail::complete) + ".";
  }

  // A body of RAVEL_TEST is a function that the header named.
  static std::string plain_name(const std::string& function) {
    const bool is_body =
        function.find("ravel_body_") != std::string::npos || function.find("RavelExplored_") != std::string::npos;
    return is_body ? "body" : function;
  }

  void add_tasks() {
    std::set<TaskId> seen;
    for (const ExplainedStep& step : result_.steps) seen.insert(step.task);
    if (result_.failing_task != kNoTask) seen.insert(result_.failing_task);
    for (const TaskId id : seen) {
      ExplainedTask task;
      task.task = id;
      if (id < execution_.tasks.size()) {
        const TaskRecord& record = execution_.tasks[id];
        task.name = std::string(record.name, ::strnlen(record.name, sizeof record.name));
        task.creator = record.creator;
      }
      for (const ExplainedStep& step : result_.steps) {
        if (step.task != id || step.stack.empty()) continue;
        task.function = plain_name(step.stack.back().function);
        break;
      }
      result_.tasks.push_back(std::move(task));
    }
  }

  // Between steps that are told. After folding: an arrow to one round of a loop would say too much.
  void add_orders() {
    std::set<std::uint64_t> told;
    for (const ExplainedStep& step : result_.steps) told.insert(step.number);
    for (const StepOrder& order : step_orders(trace_)) {
      if (told.contains(order.first + 1) && told.contains(order.second + 1)) {
        result_.orders.push_back({order.first + 1, order.second + 1, order.kind});
      }
    }
  }

  // The execution that passes, with the names and the marks of the one that fails. Last: it takes the other's place.
  void add_passing() {
    if (execution_.passing.empty()) return;
    const std::vector<std::size_t> marked = indices_in_passing();
    std::vector<ExplainedStep> failing = std::exchange(result_.steps, {});
    const bool cut = result_.cut;
    trace_ = execution_.passing;
    stacks_ = execution_.passing_stacks;
    tells_passing_ = true;
    held_.clear();
    add_steps();
    for (ExplainedStep& step : result_.steps) {
      const auto mark = std::find(marked.begin(), marked.end(), step.number - 1);
      if (mark != marked.end()) step.mark = static_cast<std::uint32_t>(mark - marked.begin()) + 1;
    }
    fold();
    result_.passing = std::exchange(result_.steps, std::move(failing));
    result_.cut = cut;
  }

  // Where the deciding operations are in the execution that passes; its size for one that is not there.
  std::vector<std::size_t> indices_in_passing() const {
    const auto same = [](const Operation& a, const Operation& b) {
      return a.task == b.task && a.kind == b.kind && a.object == b.object && a.pc == b.pc;
    };
    const auto place = [&](const Operation& wanted, std::size_t earlier) {
      for (std::size_t i = 0; i < execution_.passing.size(); ++i) {
        if (same(execution_.passing[i].operation, wanted) && earlier-- == 0) return i;
      }
      return execution_.passing.size();
    };
    std::vector<std::size_t> places;
    for (const std::size_t index : deciding_indices()) {
      const Operation& wanted = trace_[index].operation;
      const auto earlier = std::count_if(trace_.begin(), trace_.begin() + static_cast<std::ptrdiff_t>(index),
                                         [&](const TraceEvent& event) { return same(event.operation, wanted); });
      places.push_back(place(wanted, static_cast<std::size_t>(earlier)));
    }
    if (deciding_ && deciding_->missing) places.push_back(place(*deciding_->missing, 0));
    return places;
  }

  // -- loops

  static bool alike(const ExplainedStep& a, const ExplainedStep& b) {
    return a.task == b.task && a.kind == b.kind && a.object == b.object && a.weight == b.weight && b.mark == 0 &&
           a.mark == 0 && a.stack == b.stack && a.leaves == b.leaves && a.leaves_for == b.leaves_for;
  }

  // Folds the rounds of a loop into one, also when several tasks take turns in it.
  void fold() {
    constexpr std::size_t kLongestRound = 12;
    constexpr std::size_t kFewestRounds = 3;
    std::vector<ExplainedStep>& steps = result_.steps;
    std::vector<ExplainedStep> kept;
    for (std::size_t i = 0; i < steps.size();) {
      std::size_t best_length = 0;
      std::size_t best_rounds = 0;
      for (std::size_t length = 1; length <= kLongestRound && i + length * kFewestRounds <= steps.size(); ++length) {
        std::size_t rounds = 1;
        while (i + (rounds + 1) * length <= steps.size() && is_round(i, length, rounds)) ++rounds;
        if (rounds >= kFewestRounds && rounds * length > best_rounds * best_length) {
          best_length = length;
          best_rounds = rounds;
        }
      }
      if (best_rounds == 0) {
        kept.push_back(std::move(steps[i++]));
        continue;
      }
      const std::size_t last = i + (best_rounds - 1) * best_length;
      for (std::size_t k = 0; k < best_length; ++k) {
        ExplainedStep step = std::move(steps[i + k]);
        step.after = steps[last + k].after;
        step.leaves = steps[last + k].leaves;
        step.leaves_for = steps[last + k].leaves_for;
        step.holder = steps[last + k].holder;
        if (k == 0) {
          step.rounds = static_cast<std::uint32_t>(best_rounds);
          step.round_steps = static_cast<std::uint32_t>(best_length);
        }
        kept.push_back(std::move(step));
      }
      i += best_rounds * best_length;
    }
    steps = std::move(kept);
  }

  // Is the round after `rounds` others, counted from `start`, like the first? And did the task continue in between?
  bool is_round(std::size_t start, std::size_t length, std::size_t rounds) const {
    const std::vector<ExplainedStep>& steps = result_.steps;
    for (std::size_t k = 0; k < length; ++k) {
      if (!alike(steps[start + k], steps[start + rounds * length + k])) return false;
    }
    // Each round before the last must have ended like the others: with a switch to the task that begins a round.
    return steps[start + rounds * length - 1].leaves == steps[start + length - 1].leaves;
  }

  const TracedExecution& execution_;
  std::span<const TraceEvent> trace_;
  std::span<const StackRecord> stacks_;
  bool tells_passing_ = false;  // trace_ and stacks_ are those of the execution that passes
  const FindingRecord& record_;
  const ResolvedFinding& finding_;
  const std::optional<DecidingSteps>& deciding_;
  SymbolSource& symbols_;
  const SourceText& source_;
  LocalVariables locals_;
  TaskId created_;  // how many tasks there were at the moment described: that of the finding, except while steps are
                    // described
  Explanation result_;
  std::map<std::uint64_t, OperationKind> kind_of_;
  std::map<std::uint64_t, std::string> names_;         // of locks and the like
  std::map<std::uint64_t, std::string> memory_names_;  // of memory without a name
  std::map<char, unsigned> numbers_;
  std::map<std::uint64_t, Weight> weights_;
  std::map<TaskId, std::vector<std::uint64_t>> held_;
  std::set<std::uint64_t> followed_;  // locks that were taken in the trace
  std::size_t next_answer_ = 0;
  std::set<TaskId> wakes_for_nothing_;  // tasks that wait, and for which the wake-up has come without a notification
  std::set<TaskId> ends_at_once_;       // tasks that are about to sleep, but not for long
};

}  // namespace

Explanation explain(const TracedExecution& execution, const FindingRecord& record, const ResolvedFinding& finding,
                    const std::optional<DecidingSteps>& deciding, SymbolSource& symbols, const SourceText& source) {
  return Explainer(execution, record, finding, deciding, symbols, source).explain();
}

}  // namespace ravel
