// SPDX-License-Identifier: Apache-2.0
#include "reports/text_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>
#include <vector>

#include "reports/access_words.h"
#include "reports/explanation_text.h"
#include "reports/finding_groups.h"
#include "reports/text_lines.h"
#include "reports/unclear_race.h"

namespace ravel {
namespace {

// Terminal attributes, or nothing.
class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}
  std::string headline(std::string_view text) const { return with("1;31", text); }
  std::string good(std::string_view text) const { return with("1;32", text); }
  std::string strong(std::string_view text) const { return with("1", text); }
  std::string faint(std::string_view text) const { return with("2", text); }

 private:
  std::string with(const char* code, std::string_view text) const {
    return on_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }
  bool on_;
};

// Template arguments become "<...>": long names of library templates drown the rest. operator< and friends stay.
std::string without_template_arguments(std::string_view name) {
  std::string result;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_operator = depth == 0 && result.size() >= 8 && result.ends_with("operator");
    if (is_operator && (name[i] == '<' || name[i] == '>' || name[i] == '-')) {
      while (i < name.size() && (name[i] == '<' || name[i] == '>' || name[i] == '=' || name[i] == '-')) {
        result += name[i++];
      }
      --i;
    } else if (name[i] == '<') {
      if (depth++ == 0) result += "<...";
    } else if (name[i] == '>' && depth > 0 && name[i - 1] != '-') {
      if (--depth == 0) result += '>';
    } else if (depth == 0) {
      result += name[i];
    }
  }
  return result;
}

std::string shortened(const std::string& function) {
  constexpr std::size_t kLong = 70;
  return function.size() <= kLong ? function : without_template_arguments(function);
}

std::string place_of(const Frame& frame) {
  if (frame.line == 0) {
    const std::size_t slash = frame.module.rfind('/');
    const std::string module = slash == std::string::npos ? frame.module : frame.module.substr(slash + 1);
    if (module.empty()) return "(unknown code)";
    return frame.function == "??" ? fmt::format("({}+{:#x})", module, frame.offset) : fmt::format("({})", module);
  }
  return frame.column == 0 ? fmt::format("{}:{}", frame.file, frame.line)
                           : fmt::format("{}:{}:{}", frame.file, frame.line, frame.column);
}

void add_frames(std::string& text, const std::vector<Frame>& frames, const TextOptions& options, const Paint& paint) {
  if (frames.empty()) text += "    (no stack)\n";
  const std::size_t shown = frames.size() > options.frames ? options.frames : frames.size();
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string function = shortened(frames[i].function);
    const std::string place = place_of(frames[i]) + (frames[i].inlined ? " (inlined)" : "");
    const std::string number = fmt::format("#{}", i);
    const bool fits = 4 + number.size() + 1 + function.size() + 2 + place.size() <= options.width;
    text += fmt::format("    {} {}{}{}\n", paint.faint(number), function, fits ? "  " : "\n         at ",
                        paint.strong(place));
  }
  if (shown < frames.size()) text += fmt::format("    ... {} more\n", frames.size() - shown);
}

std::string operation_phrase(const ResolvedStack& stack) {
  if (stack.object.empty()) return stack.operation;
  return fmt::format("{} {}{}", stack.operation, is_memory_access(stack.kind) ? "of " : "", stack.object);
}

// For waits inside a library (a future, a latch), the function the user called says more than the operation.
bool wants_through(OperationKind kind) {
  switch (kind) {
    case OperationKind::futex_wait:
    case OperationKind::condition_wait:
    case OperationKind::condition_timed_wait:
    case OperationKind::condition_wake:
    case OperationKind::semaphore_wait:
    case OperationKind::once_begin:
    case OperationKind::io:
      return true;
    default:
      return false;
  }
}

std::string stack_heading(const ResolvedStack& stack, std::size_t width) {
  std::string text = task_text(stack.task, stack.task_name);
  if (stack.blocked) {
    text += " " + waiting_text(stack, Detail::brief);
  } else if (!stack.operation.empty()) {
    text += ", at " + operation_phrase(stack);
  }
  if (!stack.through.empty() && wants_through(stack.kind)) {
    const std::string through = shortened(stack.through);
    if (text.size() + through.size() + 9 <= width) text += fmt::format(" (in {})", through);
  }
  return text + ":";
}

// Makes the program's output printable: a report must not move the reader's cursor.
std::string printable(std::string_view line) {
  std::string text;
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t') || byte == 0x7f) {
      text += fmt::format("\\x{:02x}", byte);
    } else {
      text += c;
    }
  }
  return text;
}

void add_output(std::string& text, const ReportedFinding& reported, const TextOptions& options, const Paint& paint) {
  const std::vector<std::string_view> lines = lines_of(reported.output);
  if (lines.empty() || options.output_lines == 0) return;
  const std::size_t skipped = lines.size() > options.output_lines ? lines.size() - options.output_lines : 0;
  text += fmt::format(
      "\n  {}\n", skipped > 0 || reported.output_truncated ? "Last output of the program:" : "Output of the program:");
  for (std::size_t i = skipped; i < lines.size(); ++i) {
    std::string line = printable(lines[i].substr(0, options.output_columns));
    if (lines[i].size() > options.output_columns) {
      // Not in the middle of a UTF-8 character.
      std::size_t cut = options.output_columns;
      while (cut > 0 && (static_cast<unsigned char>(lines[i][cut]) & 0xc0) == 0x80) --cut;
      line = printable(lines[i].substr(0, cut)) + "...";
    }
    text += fmt::format("    {} {}\n", paint.faint("|"), line);
  }
}

std::string cycle_text(const std::vector<TaskId>& cycle) {
  std::string text;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (i > 0) text += i + 1 == cycle.size() ? " and " : ", ";
    text += task_text(cycle[i]);
  }
  return text + (cycle.size() == 2 ? " wait for each other:" : " wait for each other in a cycle:");
}

// Which task holds and waits for what, one line each: the whole deadlock before any stack.
void add_waits(std::string& text, const ResolvedFinding& finding) {
  std::string waits;
  for (const ResolvedStack& stack : finding.stacks) {
    const std::string line = hold_and_wait_text(stack, Detail::complete);
    if (!line.empty()) waits += fmt::format("  {}\n", line);
  }
  if (waits.empty()) return;
  text += "\n";
  if (const std::vector<TaskId> cycle = waiting_cycle(finding); cycle.size() > 1) {
    text += fmt::format("  {}\n", cycle_text(cycle));
  }
  text += waits;
  if (finding.stacks_total > finding.stacks.size()) {
    text += fmt::format("  and {} not shown\n", counted(finding.stacks_total - finding.stacks.size(), "more task"));
  }
}

// The message of a deadlock made from its tasks would only repeat the lines that follow.
bool message_is_told_by_waits(const ResolvedFinding& finding) {
  if (finding.kind != FindingKind::deadlock && finding.kind != FindingKind::lost_wakeup) return false;
  return !finding.stacks.empty() &&
         finding.message.starts_with(hold_and_wait_text(finding.stacks.front(), Detail::brief));
}

// One sentence over as many lines as it needs, each indented. A word longer than a line stays whole.
std::string wrapped(std::string_view sentence, std::size_t indent, std::size_t width) {
  std::string text;
  std::size_t column = 0;
  while (!sentence.empty()) {
    const std::size_t end = std::min(sentence.find(' '), sentence.size());
    const std::string_view word = sentence.substr(0, end);
    sentence.remove_prefix(std::min(end + 1, sentence.size()));
    if (column == 0 || column + 1 + word.size() > width) {
      text += (column == 0 ? "" : "\n") + std::string(indent, ' ');
      column = indent;
    } else {
      text += ' ';
      ++column;
    }
    text += word;
    column += word.size();
  }
  return text + "\n";
}

// "T1 writes 4 bytes of balance (value before: 7), in memcpy:"
std::string access_heading(const ResolvedStack& stack, FindingKind kind, bool earlier, std::size_t width) {
  std::string text = task_text(stack.task, stack.task_name);
  const bool frees_block = kind == FindingKind::double_free || kind == FindingKind::bad_free;
  if (frees_block) {
    text += " frees it";
  } else {
    text += fmt::format(" {} {}{}", access_verb(stack, earlier ? Tense::past : Tense::present), accessed_text(stack),
                        earlier ? " before that" : "");
    if (!stack.value.empty()) {
      const bool reads = operation_role(stack.kind) == OperationRole::reads;
      text += fmt::format(" ({}{})", reads ? "value " : "value before: ", stack.value);
    }
  }
  if (!stack.through.empty()) {
    constexpr std::size_t kAround = 8;
    std::string through = shortened(stack.through);
    if (text.size() + through.size() + kAround > width) through = without_template_arguments(through);
    if (text.size() + through.size() + kAround <= width) {
      text += fmt::format("{} {}", frees_block ? " with" : ", in", through);
    }
  }
  return text + ":";
}

void add_held(std::string& text, const ResolvedStack& stack, const TextOptions& options) {
  if (stack.partial) {
    text += "    (only the place of this access was kept)\n";
    return;
  }
  if (stack.held.empty()) text += "    holding no lock\n";
  for (const HeldLock& lock : stack.held) {
    const std::string where =
        lock.taken_at.empty() ? std::string() : fmt::format(", taken at {}", location_text(lock.taken_at.front()));
    text += wrapped(fmt::format("holding {}{}", lock.object, where), 4, options.width);
  }
}

void add_accesses(std::string& text, const ResolvedFinding& finding, const TextOptions& options, const Paint& paint) {
  for (std::size_t i = 0; i < finding.stacks.size(); ++i) {
    const ResolvedStack& stack = finding.stacks[i];
    text += fmt::format("\n  {}\n", paint.strong(access_heading(stack, finding.kind, i > 0, options.width)));
    add_frames(text, stack.frames, options, paint);
    if (finding.kind == FindingKind::data_race) add_held(text, stack, options);
  }
}

// Where the block was allocated and freed, with stacks where they are known.
void add_heap_block(std::string& text, const ResolvedFinding& finding, const TextOptions& options, const Paint& paint) {
  const ResolvedHeapBlock& block = *finding.memory.heap;
  const auto name = [&](TaskId id) {
    for (const ResolvedTask& task : finding.tasks) {
      if (task.task == id) return task_text(id, task.name);
    }
    return task_text(id);
  };
  std::string where = block.offset == 0 ? "at the start" : fmt::format("at offset {}", block.offset);
  if (block.offset < 0)
    where = fmt::format("{} before the start", bytes_text(static_cast<std::uint64_t>(-block.offset)));
  const bool known = block.allocated_by != kNoTask || !block.allocated_at.empty();
  const std::string fact = fmt::format("The memory is {} of a heap block of {}{}", where, bytes_text(block.size),
                                       known ? fmt::format(", allocated by {}", name(block.allocated_by)) : "");
  text += "\n" + wrapped(fact + (block.allocated_at.empty() ? "." : ":"), 2, options.width);
  if (!block.allocated_at.empty()) add_frames(text, block.allocated_at, options, paint);
  if (!block.freed || (block.freed_by == kNoTask && block.freed_at.empty())) return;
  text += fmt::format("\n  The block was freed by {}{}\n", name(block.freed_by), block.freed_at.empty() ? "." : ":");
  if (!block.freed_at.empty()) add_frames(text, block.freed_at, options, paint);
}

void add_memory(std::string& text, const ResolvedFinding& finding, const TextOptions& options, const Paint& paint) {
  if (finding.memory.heap) {
    add_heap_block(text, finding, options, paint);
  } else if (!finding.memory.place.empty()) {
    text += "\n" + wrapped(fmt::format("The memory is {}.", finding.memory.place), 2, options.width);
  }
}

void add_stacks(std::string& text, const ResolvedFinding& finding, const TextOptions& options, const Paint& paint) {
  for (const ResolvedStack& stack : finding.stacks) {
    text += fmt::format("\n  {}\n", paint.strong(stack_heading(stack, options.width)));
    add_frames(text, stack.frames, options, paint);
  }
}

void add_origins(std::string& text, const std::vector<ResolvedTask>& tasks,
                 const std::vector<ResolvedObject>& objects) {
  std::string origins;
  for (const ResolvedTask& task : tasks) {
    if (task.creator == kNoTask) continue;
    const std::string where =
        task.created_at.empty() ? std::string() : fmt::format(" at {}", location_text(task.created_at.front()));
    origins +=
        fmt::format("  {} was created by {}{}\n", task_text(task.task, task.name), task_text(task.creator), where);
  }
  for (const ResolvedObject& object : objects) origins += fmt::format("  {} is {}\n", object.name, object.place);
  if (!origins.empty()) text += "\n" + origins;
}

// Quoted so that a shell takes it as one word.
std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("_-./+:,@%=").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) {
    if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  }
  return text + "'";
}

void add_evidence(std::string& text, const ReportedFinding& reported, const Paint& paint) {
  text += "\n";
  // Only a campaign has counted executions; a replay prints the rest, always the same bytes.
  if (reported.first_execution != 0) {
    text += fmt::format("  Found in execution {}", reported.first_execution);
    if (reported.count > 1) text += fmt::format(", seen in {} executions", reported.count);
    text += ".\n";
  }
  text += fmt::format("  {}, {}", counted(reported.tasks, "task"), counted(reported.preemptions, "preemption"));
  text += reported.finding.step != 0 ? fmt::format(", step {}.\n", reported.finding.step) : ".\n";
  if (reported.schedule_path.empty()) {
    text += "  No schedule was saved: this execution cannot be replayed.\n";
    return;
  }
  std::string replay = reported.replayed ? "replayed: same finding" : "did not come back on replay";
  if (!reported.unfinished.empty()) replay = (reported.replayed ? replay + "; " : "") + reported.unfinished;
  text += fmt::format("  Schedule: {} ({})\n", reported.schedule_path, replay);
  text += fmt::format("  Replay:   {}\n", paint.strong("ravel replay " + quoted(reported.schedule_path)));
  if (reported.best_effort) {
    text += "  A task left Ravel's control in this execution: the replay is best-effort from there.\n";
  }
}

std::string short_verdict(const CampaignResult& result) {
  if (!result.has_verdict()) return "no verdict";
  return result.findings.empty() ? "nothing found" : counted(result.findings.size(), "finding");
}

}  // namespace

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string text_of_finding(const ReportedFinding& reported, const TextOptions& options) {
  const Paint paint(options.color);
  const ResolvedFinding& finding = reported.finding;
  const std::string kind = finding_name(finding.kind);
  const std::string title = reported.id == 0 ? kind : fmt::format("finding {}: {}", reported.id, kind);
  std::string text = fmt::format("{}: {}\n", paint.headline(title), finding_sentence(finding.kind));
  if (finding.message != finding_sentence(finding.kind) && !message_is_told_by_waits(finding)) {
    const std::string message = printable(finding.message);
    text += is_about_memory(finding.kind) ? wrapped(message, 2, options.width) : fmt::format("  {}\n", message);
  }
  if (reported.explanation) {
    ExplanationOptions explanation;
    explanation.color = options.color;
    explanation.columns = options.width;
    explanation.lines = options.explanation_lines;
    text += "\n" + text_of_explanation(*reported.explanation, explanation);
  }
  if (!finding.fault.empty()) text += fmt::format("  The invalid access was to {}.\n", finding.fault);
  if (is_about_memory(finding.kind)) {
    add_accesses(text, finding, options, paint);
    add_memory(text, finding, options, paint);
  } else {
    add_waits(text, finding);
    add_stacks(text, finding, options, paint);
  }
  add_origins(text, finding.tasks, finding.objects);
  if (!finding.weak_reads.empty()) {
    text += "\n  Weak memory made a difference; the memory orders of these atomics allow it:\n";
    for (const std::string& read : finding.weak_reads) text += wrapped(read, 4, options.width);
  }
  if (!finding.remedy.empty())
    text += "\n" + wrapped(fmt::format("What would order them: {}.", finding.remedy), 2, options.width);
  if (!finding.known_defect.empty())
    text += "\n" + wrapped(fmt::format("Note: {}.", finding.known_defect), 2, options.width);
  add_output(text, reported, options, paint);
  if (options.evidence) add_evidence(text, reported, paint);
  return text;
}

std::string text_of_potential_deadlock(const PotentialDeadlock& deadlock, const TextOptions& options) {
  const Paint paint(options.color);
  std::string text =
      fmt::format("{}: locks are taken in a cycle, but no execution deadlocked\n", paint.strong("potential deadlock"));
  for (const ResolvedStack& chain : deadlock.chains) {
    std::string line = task_text(chain.task, chain.task_name);
    for (std::size_t i = 0; i < chain.held.size(); ++i) {
      line += fmt::format("{}{}", i == 0 ? " holds " : " and ", chain.held[i].object);
      if (!chain.held[i].taken_at.empty()) {
        line += fmt::format(" ({})", location_text(chain.held[i].taken_at.front()));
      }
    }
    text += fmt::format("\n  {}\n  and wants {}, which {} may hold:\n", line, chain.object, task_text(chain.holder));
    add_frames(text, chain.frames, options, paint);
  }
  add_origins(text, deadlock.tasks, deadlock.objects);
  text += fmt::format("\n  First seen in execution {}. ", deadlock.first_execution);
  text += deadlock.steered == 0
              ? std::string("No execution was steered towards it.\n")
              : fmt::format("{} steered towards it did not deadlock.\n", counted(deadlock.steered, "execution"));
  return text;
}

// Many accesses lie between the same calls: a few of them show where to look.
std::string text_of_unclear_races(const UnclearRaces& races, const TextOptions& options) {
  constexpr std::size_t kShown = 8;
  const Paint paint(options.color);
  std::string text =
      fmt::format("{}: {} may order these accesses, but Ravel does not see into it\n",
                  paint.strong(races.races.size() == 1 ? "unclear race" : "unclear races"), races.ordered_by);
  for (std::size_t i = 0; i < races.races.size() && i < kShown; ++i) {
    const ResolvedFinding& finding = races.races[i]->finding;
    std::string places;
    for (const ResolvedStack& stack : finding.stacks) {
      const Frame* const frame = user_frame(stack.frames);
      if (frame != nullptr) places += (places.empty() ? ": " : " and ") + location_text(*frame);
    }
    text += wrapped(printable(finding.message + places), 2, options.width);
  }
  if (races.races.size() > kShown) text += fmt::format("  and {} more\n", races.races.size() - kShown);
  return text + wrapped(unclear_race_advice(races), 2, options.width);
}

// A percentage rounded down: it follows "at least".
std::string at_least_percent(double probability) {
  const double percent = 100 * probability;
  const double scale = percent >= 99 ? 100 : percent >= 10 ? 1 : 10;
  return fmt::format("{}%", std::min(std::floor(percent * scale) / scale, 99.99));
}

// "pct would have found a bug of depth 1 with at least 99.9%, of depth 2 (first 60 steps) with 34%". Depths
// with nothing to say are left out; a user who asked for pct always gets depth 1.
std::string pct_line(const CampaignResult& result) {
  constexpr double kWorthTelling = 0.01;
  std::string text;
  for (const PctBound& bound : result.coverage.pct) {
    const bool first_of_pct = text.empty() && bound.depth == 1 && result.strategy == "pct";
    if (bound.found_probability < kWorthTelling && !first_of_pct) continue;
    text += fmt::format("{}of depth {}", text.empty() ? "pct would have found a bug " : ", ", bound.depth);
    if (bound.depth > 1) text += fmt::format(" (first {})", counted(bound.steps, "step"));
    text += fmt::format(" with {}{}", text.find('%') == std::string::npos ? "at least " : "",
                        at_least_percent(bound.found_probability));
  }
  return text;
}

std::string what_was_not_seen(const CampaignResult& result) {
  std::string text;
  if (!result.instrumented && result.executions > 0) {
    text += "; memory was not seen: build the program with `ravel c++` or `ravel cc`";
  }
  if (result.cut > 0) {
    const bool all = result.cut == result.executions;
    text += fmt::format("; {} cut", !all ? fmt::format("{} of them {}", result.cut, result.cut == 1 ? "was" : "were")
                                    : result.cut == 1 ? "it was"
                                                      : "all of them were");
  }
  return text;
}

// Which findings to look at first, and which go with them.
void add_groups(std::string& text, const std::vector<ReportedFinding>& findings, const Paint& paint) {
  const std::vector<FindingGroup> groups = group_findings(findings);
  const auto name = [&](std::size_t i) {
    return fmt::format("{} ({})", findings[i].id, finding_name(findings[i].finding.kind));
  };
  for (std::size_t i = 0; i < groups.size(); ++i) {
    text += fmt::format("  {} {}", i == 0 ? paint.strong("fix this first:") : "then", name(groups[i].first));
    for (std::size_t k = 0; k < groups[i].others.size(); ++k) {
      const bool last = k + 1 == groups[i].others.size();
      const char* const before = k > 0  ? (last ? " and" : ",")
                                 : last ? "; with it probably goes"
                                        : "; with it probably go";
      text += fmt::format("{} {}", before, name(groups[i].others[k]));
    }
    text += "\n";
  }
}

std::string text_of_suspicions(const CampaignResult& result, const TextOptions& options) {
  std::string text;
  for (const PotentialDeadlock& deadlock : result.potential_deadlocks) {
    text += text_of_potential_deadlock(deadlock, options) + "\n";
  }
  for (const UnclearRaces& races : by_unseen_code(result.unclear_races)) {
    text += text_of_unclear_races(races, options) + "\n";
  }
  return text;
}

std::string text_of_notes(const CampaignResult& result) {
  std::string text;
  for (const std::string& note : result.notes) text += fmt::format("note: {}\n", note);
  return text;
}

std::string verdict_text(const CampaignResult& result) {
  return fmt::format("{} in {}, {}", short_verdict(result), counted(result.executions, "execution"),
                     counted(result.distinct_orders, "distinct order"));
}

std::string text_of_summary(const CampaignResult& result, const TextOptions& options) {
  const Paint paint(options.color);
  std::string text = text_of_suspicions(result, options) + text_of_notes(result);
  const std::size_t found = result.findings.size();
  const std::string verdict = short_verdict(result);
  text += found == 0 && result.has_verdict() ? paint.good(verdict) : paint.headline(verdict);
  text += fmt::format(" in {}, {:.2f} s ({:.0f} per second), {}{}\n", counted(result.executions, "execution"),
                      result.seconds, result.executions_per_second(), counted(result.distinct_orders, "distinct order"),
                      what_was_not_seen(result));
  if (found > 1) add_groups(text, result.findings, paint);
  if (!result.has_verdict()) return text;
  if (result.complete) {
    text += "every schedule of the program was explored";
    if (result.search) text += fmt::format(": {} distinct ones", result.search->explored);
    text += "\n";
  } else if (result.search) {
    text += fmt::format("the search is not complete: {} explored", result.search->explored);
    if (result.search->estimate > static_cast<double>(result.search->explored)) {
      text += fmt::format(", of about {:.3g}", result.search->estimate);
    }
    text += "\n";
  } else if (found == 0 && result.executions > 1) {
    const double percent = 100 * result.unseen_probability;
    text += fmt::format("chance that the next execution shows an order not seen yet: about {}%\n",
                        percent < 10 ? fmt::format("{:.2g}", percent) : fmt::format("{:.0f}", percent));
    const CoverageResult& seen = result.coverage;
    if (seen.conflict_orders_possible > 0) {
      text += fmt::format("seen: {} of {} orders of conflicting operations", seen.conflict_orders,
                          seen.conflict_orders_possible);
      if (seen.functions > 0) {
        text += fmt::format(", {} of {} functions interrupted", seen.interrupted_functions, seen.functions);
      }
      text += "\n";
    }
    if (const std::string line = pct_line(result); !line.empty()) text += wrapped(line, 0, options.width);
  }
  return text;
}

std::string text_report(const CampaignResult& result, const TextOptions& options) {
  std::string text;
  for (const ReportedFinding& finding : result.findings) text += text_of_finding(finding, options) + "\n";
  return text + text_of_summary(result, options);
}

}  // namespace ravel
