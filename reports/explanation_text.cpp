// SPDX-License-Identifier: Apache-2.0
#include "reports/explanation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

namespace ravel {
namespace {

constexpr std::size_t kMostColumns = 3;  // with more tasks a column is too narrow to read
constexpr std::size_t kStackFrames = 6;
constexpr std::size_t kFewestRows = 12;  // three deciding operations, each with its line, and what was left out

// At most `width` bytes, not in the middle of a UTF-8 character.
std::string cut(std::string text, std::size_t width) {
  for (char& c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) c = ' ';
  }
  if (text.size() <= width) return text;
  if (width < 3) return text.substr(0, width);
  std::size_t end = width - 2;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "..";
}

std::string place_of(const ExplainedStep& step) {
  if (step.stack.empty()) return {};
  const Frame& frame = step.stack.front();
  return frame.line == 0 ? frame.function : fmt::format("{}:{}", base_name(frame.file), frame.line);
}

// "bank.cpp:12  balance += amount;". For a line that only closes a block, the place is enough. When everything is in
// one file, its name is not repeated: "12  balance += amount;".
std::string source_of(const ExplainedStep& step, const std::string& only_file) {
  std::string place = place_of(step);
  if (!only_file.empty() && !step.stack.empty() && step.stack.front().line != 0) {
    place = std::to_string(step.stack.front().line);
  }
  if (place.empty() || only_closes(step.source)) return place;
  return place + "  " + step.source;
}

// Without what the environment did.
std::string plain_effect(const ExplainedStep& step) {
  const std::string& object = step.object;
  const auto colon = [](const std::string& value) { return value.empty() ? std::string() : ": " + value; };
  const auto arrow = [](const std::string& value) { return value.empty() ? std::string() : " -> " + value; };
  switch (step.kind) {
    case OperationKind::read:
    case OperationKind::atomic_load:
      return fmt::format("reads {}{}{}", object, colon(step.before), step.older_store ? " (an older store)" : "");
    case OperationKind::write:
    case OperationKind::atomic_store:
      return step.after.empty() ? fmt::format("writes {}", object) : fmt::format("{}{}", object, arrow(step.after));
    case OperationKind::read_write:
    case OperationKind::atomic_rmw:
      return step.after.empty() ? fmt::format("changes {}", object)
                                : fmt::format("{}{}{}", object, colon(step.before), arrow(step.after));
    case OperationKind::atomic_cas:
      if (step.before.empty() || step.after.empty()) return fmt::format("compares and swaps {}", object);
      if (step.before == step.after) return fmt::format("compares {}: {}, unchanged", object, step.before);
      return fmt::format("{}{}{}", object, colon(step.before), arrow(step.after));
    case OperationKind::task_create:
      return fmt::format("creates {}", object);
    case OperationKind::task_join:
      return fmt::format("joins {}", object);
    default:
      return object.empty() ? std::string(operation_name(step.kind))
                            : fmt::format("{} {}", operation_name(step.kind), object);
  }
}

enum class Style : std::uint8_t { plain, strong, faint, alarm };

std::string painted(std::string_view text, Style style, bool color) {
  if (!color || style == Style::plain || text.empty()) return std::string(text);
  const char* const code = style == Style::strong ? "1" : style == Style::faint ? "2" : "1;31";
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

struct Row {
  TaskId task = kNoTask;
  std::string text;
  Style style = Style::plain;
  bool deciding = false;
};

class Page {
 public:
  Page(const Explanation& explanation, const ExplanationOptions& options)
      : explanation_(explanation), options_(options) {}

  std::string text() {
    const std::string head = summary();
    const std::string tail = ending();
    const auto lines_of = [](const std::string& text) {
      return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    };
    std::size_t room = ~std::size_t{0};
    if (options_.lines != 0) {
      const std::size_t used = lines_of(head) + lines_of(tail) + 4;
      room = options_.lines > used + kFewestRows ? options_.lines - used : kFewestRows;
    }
    const std::string file = only_file();
    std::vector<Row> rows = rows_from(Weight::shared);
    if (rows.size() > room) rows = rows_from(Weight::related);
    if (rows.size() > room) shorten(rows, room);
    const std::string lines = file.empty() ? std::string() : fmt::format("  Line numbers refer to {}.\n", file);
    return head + table(rows) + lines + tail;
  }

 private:
  std::string summary() const {
    std::string text;
    for (const std::string& sentence : explanation_.summary) text += wrapped(sentence, 2);
    return text.empty() ? text : text + "\n";
  }

  std::string wrapped(std::string_view sentence, std::size_t indent) const {
    std::string text(indent, ' ');
    std::size_t column = indent;
    bool first = true;
    while (!sentence.empty()) {
      const std::size_t end = std::min(sentence.find(' '), sentence.size());
      const std::string word = cut(std::string(sentence.substr(0, end)), options_.columns - indent - 2);
      sentence.remove_prefix(std::min(end + 1, sentence.size()));
      if (!first && column + 1 + word.size() > options_.columns) {
        text += "\n" + std::string(indent + 2, ' ');
        column = indent + 2;
      } else if (!first) {
        text += ' ';
        ++column;
      }
      text += word;
      column += word.size();
      first = false;
    }
    return text + "\n";
  }

  // Creating and joining tasks is shown only with --full.
  bool is_visible(const ExplainedStep& step, Weight least) const {
    const bool life = step.kind == OperationKind::task_create || step.kind == OperationKind::task_join;
    return step.weight >= least && (!life || options_.lines == 0 || step.mark != 0);
  }

  // The file that contains all visible steps; empty when there are several.
  std::string only_file() const {
    std::string file;
    for (const ExplainedStep& step : explanation_.steps) {
      if (!is_visible(step, Weight::shared) || step.stack.empty() || step.stack.front().line == 0) continue;
      if (file.empty()) file = step.stack.front().file;
      if (file != step.stack.front().file) return {};
    }
    return std::string(base_name(file));
  }

  std::vector<Row> rows_from(Weight least) const {
    const std::string file = only_file();
    std::vector<Row> rows;
    const std::vector<ExplainedStep>& steps = explanation_.steps;
    std::size_t last = steps.size();  // the visible step before
    std::string last_source;
    std::size_t rounds_until = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const ExplainedStep& step = steps[i];
      if (step.rounds > 1 && any_visible(i, step.round_steps, least)) {
        if (last != steps.size() && steps[last].task != step.task) add_reason(rows, last, i);
        rows.push_back({has_one_task(i, step.round_steps) ? step.task : kNoTask, fmt::format("{} times:", step.rounds),
                        Style::faint, false});
        rounds_until = i + step.round_steps;
        last = i;
        last_source.clear();
      }
      if (!is_visible(step, least)) continue;
      if (last != steps.size() && steps[last].task != step.task) {
        add_reason(rows, last, i);
        last_source.clear();
      }
      last = i;
      const std::string indent = i < rounds_until ? "  " : "";
      std::string text = indent + (step.mark != 0 ? fmt::format("({}) ", step.mark) : "") + effect_text(step);
      if (!step.held.empty() && is_memory_access(step.kind)) text += fmt::format(" {{{}}}", fmt::join(step.held, ", "));
      rows.push_back({step.task, text, step.mark != 0 ? Style::alarm : Style::plain, step.mark != 0});
      const std::string source = source_of(step, file);
      if (!source.empty() && source != last_source) {
        rows.push_back({step.task, indent + "  " + source, Style::faint, step.mark != 0});
        last_source = source;
      }
    }
    if (last != steps.size()) add_reason(rows, last, steps.size());
    add_final_waits(rows, last, least);
    return rows;
  }

  bool has_one_task(std::size_t first, std::size_t count) const {
    for (std::size_t i = first; i < std::min(first + count, explanation_.steps.size()); ++i) {
      if (explanation_.steps[i].task != explanation_.steps[first].task) return false;
    }
    return true;
  }

  bool any_visible(std::size_t first, std::size_t count, Weight least) const {
    for (std::size_t i = first; i < std::min(first + count, explanation_.steps.size()); ++i) {
      if (is_visible(explanation_.steps[i], least)) return true;
    }
    return false;
  }

  // Why the task of the visible step `from` does not continue before the step `to`.
  void add_reason(std::vector<Row>& rows, std::size_t from, std::size_t to) const {
    for (std::size_t i = from; i < to; ++i) {
      const ExplainedStep& step = explanation_.steps[i];
      if (step.task != explanation_.steps[from].task) return;
      if (step.leaves == SwitchReason::none) continue;
      rows.push_back({step.task, fmt::format("-- {}", leaving_text(step)),
                      step.leaves == SwitchReason::preempted ? Style::strong : Style::faint, false});
      return;
    }
  }

  // Tasks that are stuck at the end, except the one whose reason is already shown.
  void add_final_waits(std::vector<Row>& rows, std::size_t last, Weight least) const {
    if (last == explanation_.steps.size()) return;
    if (explanation_.kind != FindingKind::deadlock && explanation_.kind != FindingKind::lost_wakeup) return;
    std::set<TaskId> done = {explanation_.steps[last].task};
    for (std::size_t i = explanation_.steps.size(); i-- > 0;) {
      const ExplainedStep& step = explanation_.steps[i];
      if (!done.insert(step.task).second || step.leaves == SwitchReason::ended || !is_visible(step, least)) continue;
      rows.push_back({step.task, fmt::format("-- still {}", leaving_text(step)), Style::faint, false});
    }
  }

  // Keeps the deciding operations, the end and the beginning; the rest as far as there is room.
  static void shorten(std::vector<Row>& rows, std::size_t room) {
    std::vector<bool> keep(rows.size(), false);
    std::size_t kept = 0;
    const auto take = [&](std::size_t index) {
      if (index >= rows.size() || keep[index] || kept + 3 >= room) return;
      keep[index] = true;
      ++kept;
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].deciding) take(i);
    }
    for (std::size_t distance = 1; distance <= 3; ++distance) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!rows[i].deciding) continue;
        take(i + distance);
        if (i >= distance) take(i - distance);
      }
    }
    for (std::size_t i = 0; i < 4; ++i) take(i);
    for (std::size_t i = rows.size(); i-- > 0;) take(i);
    std::vector<Row> result;
    std::size_t left_out = 0;
    const auto tell = [&] {
      if (left_out == 0) return;
      // A gap costs a line too.
      result.push_back(
          {kNoTask,
           fmt::format("... {} line{} left out (ravel explain --full shows them)", left_out, left_out == 1 ? "" : "s"),
           Style::faint, false});
      left_out = 0;
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!keep[i]) {
        ++left_out;
        continue;
      }
      tell();
      result.push_back(std::move(rows[i]));
    }
    tell();
    rows = std::move(result);
  }

  std::string table(const std::vector<Row>& rows) const {
    std::set<TaskId> tasks;
    for (const Row& row : rows) {
      if (row.task != kNoTask) tasks.insert(row.task);
    }
    if (tasks.empty()) return {};
    return tasks.size() <= kMostColumns ? columns(rows, {tasks.begin(), tasks.end()}) : lines(rows);
  }

  std::string heading(TaskId id) const {
    std::string text = task_text(id);
    for (const ExplainedTask& task : explanation_.tasks) {
      if (task.task != id) continue;
      text = task_text(id, task.name);
      if (!task.function.empty()) text += " " + task.function;
    }
    return text;
  }

  std::string columns(const std::vector<Row>& rows, const std::vector<TaskId>& tasks) const {
    constexpr std::size_t kIndent = 2;
    constexpr std::size_t kGap = 2;
    const std::size_t all = options_.columns - kIndent;
    const std::vector<std::size_t> widths = widths_of(rows, tasks, all - kGap * (tasks.size() - 1));
    std::vector<std::size_t> starts;
    std::string text;
    std::string names(kIndent, ' ');
    std::string rule(kIndent, ' ');
    std::size_t start = 0;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const bool last = i + 1 == tasks.size();
      const std::string name = cut(heading(tasks[i]), widths[i]);
      names +=
          painted(name, Style::strong, options_.color) + (last ? "" : std::string(widths[i] - name.size() + kGap, ' '));
      rule += std::string(widths[i], '-') + (last ? "" : std::string(kGap, ' '));
      starts.push_back(start);
      start += widths[i] + kGap;
    }
    text += names + "\n" + rule + "\n";
    for (const Row& row : rows) {
      if (row.task == kNoTask) {
        text += std::string(kIndent, ' ') + painted(cut(row.text, all), row.style, options_.color) + "\n";
        continue;
      }
      const auto at = static_cast<std::size_t>(std::find(tasks.begin(), tasks.end(), row.task) - tasks.begin());
      // A line has one task's text: it may go on over the columns of the others.
      text += std::string(kIndent + starts[at], ' ') +
              painted(cut(row.text, all - starts[at]), row.style, options_.color) + "\n";
    }
    return text;
  }

  // A column is as wide as what stands in it. Where there is no room for that, the wide ones share what is left.
  std::vector<std::size_t> widths_of(const std::vector<Row>& rows, const std::vector<TaskId>& tasks,
                                     std::size_t room) const {
    std::vector<std::size_t> needed;
    for (const TaskId task : tasks) {
      std::size_t widest = heading(task).size();
      for (const Row& row : rows) {
        if (row.task == task) widest = std::max(widest, row.text.size());
      }
      needed.push_back(widest);
    }
    std::vector<std::size_t> widths(tasks.size(), 0);
    std::vector<bool> settled(tasks.size(), false);
    for (std::size_t open = tasks.size(); open > 0;) {
      const std::size_t share = room / open;
      bool changed = false;
      for (std::size_t i = 0; i < tasks.size(); ++i) {
        if (settled[i] || needed[i] > share) continue;
        widths[i] = needed[i];
        room -= needed[i];
        settled[i] = true;
        --open;
        changed = true;
        break;
      }
      if (changed) continue;
      for (std::size_t i = 0; i < tasks.size(); ++i) {
        if (!settled[i]) widths[i] = share;
      }
      break;
    }
    return widths;
  }

  // For many tasks: each line starts with the task.
  std::string lines(const std::vector<Row>& rows) const {
    std::string text;
    for (const ExplainedTask& task : explanation_.tasks) {
      const bool shown = std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.task == task.task; });
      if (shown && !task.name.empty()) text += fmt::format("  {}\n", cut(heading(task.task), options_.columns - 2));
    }
    std::size_t widest = 2;
    for (const Row& row : rows) {
      if (row.task != kNoTask) widest = std::max(widest, task_text(row.task).size());
    }
    const std::size_t width = options_.columns - widest - 5;
    for (const Row& row : rows) {
      const std::string name = row.task == kNoTask ? std::string() : task_text(row.task);
      text +=
          fmt::format("  {:<{}} | ", name, widest) + painted(cut(row.text, width), row.style, options_.color) + "\n";
    }
    return text;
  }

  std::string ending() const {
    std::string text;
    if (explanation_.kind != FindingKind::data_race && explanation_.kind != FindingKind::deadlock &&
        !explanation_.failure.empty()) {
      std::string end =
          explanation_.failing_task == kNoTask ? std::string("The program") : task_text(explanation_.failing_task);
      end += explanation_.place.empty() ? " fails: " : fmt::format(" fails at {}: ", explanation_.place);
      if (explanation_.kind == FindingKind::lost_wakeup || explanation_.kind == FindingKind::livelock)
        end = "In the end, ";
      end += explanation_.failure;
      text += "  " + painted(cut(end, options_.columns - 2), Style::alarm, options_.color) + "\n";
    }
    if (explanation_.cut) text += "  The execution is very long; not all of it is shown here.\n";
    for (const ResolvedObject& object : explanation_.objects) {
      if (is_shown(object.name))
        text += cut(fmt::format("  {} is {}", object.name, object.place), options_.columns) + "\n";
    }
    if (options_.stacks) text += stacks();
    return text;
  }

  bool is_shown(const std::string& name) const {
    return std::any_of(explanation_.steps.begin(), explanation_.steps.end(), [&](const ExplainedStep& step) {
      return step.weight >= Weight::related && (step.object == name || step.leaves_for == name);
    });
  }

  // Where the deciding operations were called from.
  std::string stacks() const {
    std::string text;
    for (const ExplainedStep& step : explanation_.steps) {
      if (step.mark == 0 || step.mark > 2 || step.stack.empty()) continue;
      text += "\n  " +
              painted(cut(fmt::format("({}) {}: {}", step.mark, task_text(step.task), effect_text(step)),
                          options_.columns - 2),
                      Style::strong, options_.color) +
              "\n";
      for (std::size_t i = 0; i < std::min(step.stack.size(), kStackFrames); ++i) {
        const Frame& frame = step.stack[i];
        const std::string place = frame.line == 0 ? std::string() : fmt::format("  {}:{}", frame.file, frame.line);
        const std::size_t room = options_.columns - 8;
        const std::string function = cut(frame.function, place.size() + 20 < room ? room - place.size() : room);
        text += cut(fmt::format("    #{} {}{}", i, function, place), options_.columns) + "\n";
      }
      if (step.stack.size() > kStackFrames) text += fmt::format("    ... {} more\n", step.stack.size() - kStackFrames);
    }
    return text;
  }

  const Explanation& explanation_;
  const ExplanationOptions& options_;
};

}  // namespace

bool only_closes(std::string_view source) {
  return source.substr(0, source.find("//")).find_first_not_of("{});, \t") == std::string_view::npos;
}

std::string effect_text(const ExplainedStep& step) {
  const std::string effect = plain_effect(step);
  return step.note.empty() ? effect : fmt::format("{}: {}", effect, step.note);
}

std::string leaving_text(const ExplainedStep& step) {
  const std::string what = step.leaves_for.empty() ? std::string("something") : step.leaves_for;
  switch (step.leaves) {
    case SwitchReason::none:
      return {};
    case SwitchReason::preempted:
      return "preempted";
    case SwitchReason::blocked:
      return step.holder == kNoTask || step.holder == step.task
                 ? fmt::format("blocked on {}", what)
                 : fmt::format("blocked on {}, held by {}", what, task_text(step.holder));
    case SwitchReason::waits:
      return step.leaves_for.empty() ? std::string("waits") : fmt::format("waits for {}", what);
    case SwitchReason::sleeps:
      return "sleeps";
    case SwitchReason::yielded:
      return "yields";
    case SwitchReason::spins:
      return fmt::format("spins on {}", what);
    case SwitchReason::ended:
      return "ended";
  }
  return {};
}

std::string text_of_explanation(const Explanation& explanation, const ExplanationOptions& options) {
  return Page(explanation, options).text();
}

}  // namespace ravel
