// SPDX-License-Identifier: Apache-2.0
#include "trace/schedule_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <tuple>
#include <vector>

#include "trace/schedule_format.h"
#include "trace/schedule_packing.h"
#include "trace/schedule_plan.h"
#include "trace/schedule_text.h"

namespace ravel {
namespace {

void append_hash(std::string& out, std::uint64_t value) {
  for (int shift = 60; shift >= 0; shift -= 4) out += "0123456789abcdef"[(value >> shift) & 15];
}

void append_field(std::string& out, std::string_view key, std::uint64_t value) {
  out += ' ';
  out += key;
  out += '=';
  append_number(out, value);
}

void append_line(std::string& out, std::string_view key, std::string_view word) {
  out += key;
  out += ": ";
  append_quoted(out, word);
  out += '\n';
}

void append_count(std::string& out, std::string_view key, std::uint64_t count) {
  out += key;
  out += ": ";
  append_number(out, count);
  out += '\n';
}

// Words separated by spaces, on as many lines as needed, each starting with `key`.
void append_words(std::string& out, std::string_view key, const std::vector<std::string>& words) {
  std::size_t column = 0;
  for (const std::string& word : words) {
    if (column == 0 || column + 1 + word.size() > kScheduleColumns) {
      if (column != 0) out += '\n';
      out += key;
      out += ':';
      column = key.size() + 1;
    }
    out += ' ';
    out += word;
    column += 1 + word.size();
  }
  if (column != 0) out += '\n';
}

// The text of a section: its words, then its characters in lines.
void append_packed(std::string& out, std::string plain) {
  const PackedText packed = pack_text(std::move(plain));
  std::vector<std::string> words;
  words.reserve(packed.words.size());
  for (const PackingWord& word : packed.words) words.push_back({word.symbol, word.first, word.second});
  append_words(out, "words", words);
  for (std::size_t at = 0; at < packed.text.size(); at += kScheduleColumns) {
    out.append(packed.text, at, kScheduleColumns);
    out += '\n';
  }
}

void append_header(std::string& out, const Schedule& schedule) {
  if (!schedule.ravel_version.empty()) append_line(out, "ravel", schedule.ravel_version);
  out += "program:";
  for (const std::string& argument : schedule.program) {
    out += ' ';
    append_quoted(out, argument);
  }
  out += '\n';
  if (!schedule.directory.empty()) append_line(out, "directory", schedule.directory);

  out += "campaign: ";
  append_quoted(out, schedule.campaign_strategy);
  append_field(out, "seed", schedule.campaign_seed);
  append_field(out, "execution", schedule.execution);
  out += "\nlaunch: carrier=";
  out += carrier_name(schedule.launch.carrier);
  out += " points=";
  out += point_level_name(schedule.launch.points);
  append_field(out, "identities", schedule.launch.identities);
  append_field(out, "max-steps", schedule.launch.max_steps);
  append_field(out, "random-seed", schedule.launch.random_seed);
  // Default values are left out, to keep the line short.
  const LaunchOptions usual;
  if (schedule.launch.memory_model != usual.memory_model) {
    out += " memory-model=";
    out += memory_model_name(schedule.launch.memory_model);
  }
  const auto append_unusual = [&out](const char* key, std::uint32_t value, std::uint32_t usual_value) {
    if (value != usual_value) append_field(out, key, value);
  };
  append_unusual("history", schedule.launch.history, usual.history);
  append_unusual("races", schedule.launch.races, usual.races);
  append_unusual("heap", schedule.launch.heap, usual.heap);
  append_unusual("uninitialised", schedule.launch.uninitialised, usual.uninitialised);
  append_unusual("calls", static_cast<std::uint32_t>(schedule.launch.calls), static_cast<std::uint32_t>(usual.calls));
  append_unusual("quarantine", schedule.launch.quarantine_kb, usual.quarantine_kb);
  append_unusual("fresh", schedule.launch.single, usual.single);
  if (schedule.launch.files != usual.files) {
    out += " files=";
    out += file_view_name(schedule.launch.files);
  }
  if (schedule.launch.explored_call != 0) {
    append_field(out, "explore", schedule.launch.explored_call);
    if (schedule.launch.explored_case != 0) append_hash(out += " case=", schedule.launch.explored_case);
    if (schedule.launch.explored_failed != 0) append_hash(out += " failed=", schedule.launch.explored_failed);
  }
  if (!schedule.race_test.empty()) append_quoted(out += ' ', "race-test=" + schedule.race_test);
  for (const int code : schedule.ok_exits) append_field(out, "ok-exit", static_cast<std::uint64_t>(code));
  out += "\nplan: ";
  out += format_plan(schedule.plan);
  out += '\n';

  if (schedule.finding) append_line(out, "finding", finding_name(*schedule.finding));
  if (!schedule.finding_id.empty()) append_line(out, "finding-id", schedule.finding_id);
  if (!schedule.finding_message.empty()) append_line(out, "message", schedule.finding_message);
  append_count(out, "steps", schedule.steps);
  out += "operation-hash: ";
  append_hash(out, schedule.operation_hash);
  out += '\n';
  for (const ScheduleModule& module : schedule.modules) {
    out += "module: ";
    append_quoted(out, module.path);
    out += ' ';
    append_quoted(out, module.build_id.empty() ? "-" : module.build_id);
    out += '\n';
  }
}

void append_module(std::string& out, const Schedule& schedule, std::uint32_t module) {
  if (module < schedule.modules.size()) {
    append_number(out, module);
  } else {
    out += '?';
  }
}

// Each line: a module, the first offset, then each offset's distance from the previous one.
void append_sites(std::string& out, const Schedule& schedule) {
  append_count(out, "sites", schedule.sites.size());
  std::string line;
  const CodeLocation* before = nullptr;
  for (const CodeLocation& site : schedule.sites) {
    std::string entry;
    if (before != nullptr && before->module == site.module) {
      const bool forward = site.offset >= before->offset;
      entry += forward ? '+' : '-';
      append_number(entry, forward ? site.offset - before->offset : before->offset - site.offset, 16);
    }
    if (entry.empty() || line.size() + entry.size() > kScheduleColumns) {
      if (!line.empty()) out += line + '\n';
      line.clear();
      append_module(line, schedule, site.module);
      line += ' ';
      append_number(line, site.offset, 16);
    } else {
      line += entry;
    }
    before = &site;
  }
  if (!line.empty()) out += line + '\n';
}

void append_decisions(std::string& out, const Schedule& schedule) {
  std::uint64_t steps = 0;
  std::string text;
  text.reserve(schedule.decisions.size() * 2);
  for (const DecisionRun& run : schedule.decisions) {
    if (run.kind != DecisionKind::task) {
      text += '<';
      text += run.kind == DecisionKind::environment ? environment_name(run.detail) : "reads-from";
      text += '=';
      append_number(text, run.value);
      text += '>';
      continue;
    }
    if (run.count == 0) continue;
    if (run.value < kLetteredTasks) {
      text += task_letter(run.value);
    } else {
      text += '{';
      append_number(text, run.value);
      text += '}';
    }
    if (run.count != 1) append_number(text, run.count);
    steps += run.count;
  }
  append_count(out, "decisions", steps);
  append_packed(out, std::move(text));
}

// True when operation i was performed by the task that decision step i names: the tasks then need not be written.
bool operations_follow_decisions(const Schedule& schedule) {
  std::size_t step = 0;
  for (const DecisionRun& run : schedule.decisions) {
    if (run.kind != DecisionKind::task) continue;
    for (std::uint32_t i = 0; i < run.count && step < schedule.operations.size(); ++i, ++step) {
      if (schedule.operations[step].task != run.value) return false;
    }
  }
  return step == schedule.operations.size();
}

// The steps of one task, as correct predictions (a number) and corrections (a character or two).
class OperationStream {
 public:
  explicit OperationStream(std::string& text) : text_(text) {}

  void add(std::uint32_t place, SuccessorTable& table, std::uint32_t& places_used) {
    const auto rank = table.rank(before_, place);
    table.saw(before_, place);
    before_ = place;
    if (rank == 0U) {
      ++as_before_;
      return;
    }
    flush();
    if (rank) {
      text_ += static_cast<char>('a' + *rank - 1);
    } else if (place == places_used) {
      text_ += '+';
    } else {
      text_ += '{';
      append_number(text_, place);
      text_ += '}';
    }
    if (place == places_used) ++places_used;
  }

  void end() {
    flush();
    text_ += ';';
  }

 private:
  void flush() {
    if (as_before_ != 0) append_number(text_, as_before_);
    as_before_ = 0;
  }

  std::string& text_;
  std::uint32_t before_ = SuccessorTable::kStart;
  std::uint64_t as_before_ = 0;
};

void append_operations(std::string& out, const Schedule& schedule) {
  if (schedule.operations.size() > kMaxKeptOperations || !operations_follow_decisions(schedule)) {
    append_count(out, "operations", 0);
    return;
  }

  // Task by task, not in execution order: what a task does hardly depends on the interleaving, so its own sequence
  // repeats where the execution does not.
  std::map<TaskId, std::vector<const ScheduleStep*>> by_task;
  for (const ScheduleStep& step : schedule.operations) by_task[step.task].push_back(&step);

  std::map<std::tuple<OperationKind, std::uint32_t, std::uint64_t>, std::uint32_t> numbers;
  std::vector<std::string> places;
  std::string text;
  SuccessorTable table;
  std::uint32_t places_used = 0;
  for (const auto& [task, steps] : by_task) {
    OperationStream stream(text);
    for (const ScheduleStep* step : steps) {
      const auto [entry, is_new] = numbers.try_emplace({step->kind, step->where.module, step->where.offset},
                                                       static_cast<std::uint32_t>(places.size()));
      if (is_new) {
        std::string place = operation_name(step->kind);
        place += '@';
        append_module(place, schedule, step->where.module);
        place += '+';
        append_number(place, step->where.offset, 16);
        places.push_back(std::move(place));
      }
      stream.add(entry->second, table, places_used);
    }
    stream.end();
  }
  append_count(out, "operations", schedule.operations.size());
  append_words(out, "places", places);
  append_packed(out, std::move(text));
}

Status write_trouble(const std::string& path, int error) {
  return Status::trouble("cannot write the schedule " + path + ": " + std::strerror(error),
                         "choose a folder you may write to with --out");
}

}  // namespace

std::string format_schedule(const Schedule& schedule) {
  std::string out(kScheduleMagic);
  out += ' ';
  append_number(out, kScheduleVersion);
  out += '\n';
  append_header(out, schedule);
  append_sites(out, schedule);
  append_decisions(out, schedule);
  append_operations(out, schedule);
  const std::uint64_t checksum = schedule_checksum(out);
  out += "end ";
  append_hash(out, checksum);
  out += '\n';
  return out;
}

Status write_schedule(const Schedule& schedule, const std::string& path) {
  const std::string text = format_schedule(schedule);
  std::string temporary = path + ".tmp-";
  append_number(temporary, static_cast<std::uint64_t>(::getpid()));
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return write_trouble(path, errno);

  int error = 0;
  std::size_t written = 0;
  while (error == 0 && written < text.size()) {
    const ssize_t count = ::write(file, text.data() + written, text.size() - written);
    if (count >= 0) {
      written += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  // close may be the first call to report a full disk.
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return Status::ok();
  ::unlink(temporary.c_str());
  return write_trouble(path, error);
}

}  // namespace ravel
