// SPDX-License-Identifier: Apache-2.0
#include "trace/schedule_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "trace/schedule_format.h"
#include "trace/schedule_packing.h"
#include "trace/schedule_plan.h"
#include "trace/schedule_text.h"

namespace ravel {
namespace {

constexpr const char* kRecordAgain = "record it again with `ravel run`";
constexpr const char* kGiveSchedule = "give a .ravel file that `ravel run` saved";

// Shortens a piece of the user's file for an error message.
std::string quote(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string out;
  append_quoted(out, text.substr(0, kLongest));
  if (text.size() > kLongest) out += "...";
  return out;
}

// The section text of decisions or operations: words defined, lines joined, positions known.
struct SectionText {
  std::vector<PackingWord> words;
  std::string packed;
  std::vector<std::pair<std::size_t, std::size_t>> line_starts;  // (offset in packed, line)

  std::size_t line_at(std::size_t offset) const {
    std::size_t line = line_starts.empty() ? 0 : line_starts.front().second;
    for (const auto& [start, number] : line_starts) {
      if (start <= offset) line = number;
    }
    return line;
  }
};

// Reads everything between the first line and the `end` line. Stops at the first problem.
class BodyParser {
 public:
  // `body` consists of whole lines, the first of which is line 2 of the file.
  explicit BodyParser(std::string_view body) : rest_(body) {}

  bool parse(Schedule& schedule) {
    return header(schedule) && sites(schedule) && decisions(schedule) && operations(schedule) && nothing_follows();
  }

  const std::string& problem() const { return problem_; }
  std::size_t problem_line() const { return problem_line_; }

 private:
  bool fail(std::string problem) { return fail_at(line_number_, std::move(problem)); }
  bool fail_at(std::size_t line, std::string problem) {
    problem_ = std::move(problem);
    problem_line_ = line;
    return false;
  }
  bool bad_value(std::string_view key, std::string_view value) {
    return fail(quote(value) + " is not a value for `" + std::string(key) + "`");
  }

  bool has_line() const { return !rest_.empty(); }
  std::string_view peek_line() const { return rest_.substr(0, rest_.find('\n')); }
  std::string_view take_line() {
    const std::string_view line = peek_line();
    rest_.remove_prefix(std::min(rest_.size(), line.size() + 1));
    ++line_number_;
    return line;
  }

  // "key: 12", which opens a section.
  template <typename T>
  bool count_line(std::string_view key, T& count) {
    if (!has_line() || !peek_line().starts_with(std::string(key) + ": ")) {
      return fail_at(line_number_ + 1, "the section `" + std::string(key) + "` is missing");
    }
    const std::string_view value = take_line().substr(key.size() + 2);
    return assign(count, parse_number<T>(value)) || bad_value(key, value);
  }

  bool header(Schedule& schedule);
  bool header_line(Schedule& schedule, std::string_view key, std::string_view value);
  bool campaign(Schedule& schedule, std::string_view value);
  bool launch(Schedule& schedule, std::string_view value);
  bool one_word(std::string& field, std::string_view key, std::string_view value);
  bool module_number(const Schedule& schedule, std::string_view text, std::uint32_t& module) const;

  bool sites(Schedule& schedule);
  bool section_text(SectionText& text);
  bool reader_of(const SectionText& text, PlainTextReader& reader);
  bool decisions(Schedule& schedule);
  bool decision(PlainTextReader& reader, DecisionRun& run);
  bool operations(Schedule& schedule);
  bool places(const Schedule& schedule, std::size_t most, std::vector<ScheduleStep>& places);
  bool nothing_follows() { return !has_line() || fail_at(line_number_ + 1, "nothing may follow the operations"); }

  std::string_view rest_;
  std::size_t line_number_ = 1;  // of the line taken last
  std::string problem_;
  std::size_t problem_line_ = 0;
  std::uint64_t decided_steps_ = 0;
};

// Digits at the reader's position; false when there are none or the number does not fit.
template <typename T>
bool take_number(PlainTextReader& reader, T& number) {
  std::uint64_t value = 0;
  bool any = false;
  while (!reader.at_end() && reader.peek() >= '0' && reader.peek() <= '9') {
    value = value * 10 + static_cast<std::uint64_t>(reader.take() - '0');
    if (value > std::numeric_limits<T>::max()) return false;
    any = true;
  }
  number = static_cast<T>(value);
  return any;
}

bool take_character(PlainTextReader& reader, char expected) { return !reader.at_end() && reader.take() == expected; }

bool next_is_digit(PlainTextReader& reader) { return !reader.at_end() && reader.peek() >= '0' && reader.peek() <= '9'; }

bool BodyParser::header(Schedule& schedule) {
  std::vector<std::string_view> seen;
  while (has_line() && !peek_line().starts_with("sites:")) {
    const std::string_view line = take_line();
    const std::size_t colon = line.find(':');
    const std::string_view key = line.substr(0, colon);
    if (colon == std::string_view::npos || key.empty() ||
        key.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") != key.npos) {
      return fail("this is not a `key: value` line");
    }
    std::string_view value = line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (key != "module") {
      if (std::find(seen.begin(), seen.end(), key) != seen.end()) return fail("`" + quote(key) + "` appears twice");
      seen.push_back(key);
      if (seen.size() > 100) return fail("there are too many header lines");
    }
    if (!header_line(schedule, key, value)) return false;
  }
  for (const std::string_view key : {"program", "launch", "plan", "steps", "operation-hash"}) {
    if (std::find(seen.begin(), seen.end(), key) == seen.end()) {
      return fail_at(line_number_ + 1, "the line `" + std::string(key) + "` is missing before here");
    }
  }
  return true;
}

bool BodyParser::one_word(std::string& field, std::string_view key, std::string_view value) {
  auto words = split_quoted(value);
  if (!words || words->size() != 1) return bad_value(key, value);
  field = std::move(words->front());
  return true;
}

bool BodyParser::header_line(Schedule& schedule, std::string_view key, std::string_view value) {
  if (key == "ravel") return one_word(schedule.ravel_version, key, value);
  if (key == "directory") return one_word(schedule.directory, key, value);
  if (key == "finding-id") return one_word(schedule.finding_id, key, value);
  if (key == "message") return one_word(schedule.finding_message, key, value);
  if (key == "campaign") return campaign(schedule, value);
  if (key == "launch") return launch(schedule, value);
  if (key == "program") {
    auto words = split_quoted(value);
    if (!words || words->empty()) return bad_value(key, value);
    schedule.program = std::move(*words);
    return true;
  }
  if (key == "plan") {
    return assign(schedule.plan, parse_plan(value)) || bad_value(key, value);
  }
  if (key == "finding") {
    schedule.finding = finding_from_name(value);
    return schedule.finding || bad_value(key, value);
  }
  if (key == "steps") {
    return assign(schedule.steps, parse_number<std::uint64_t>(value)) || bad_value(key, value);
  }
  if (key == "operation-hash") {
    return (value.size() == 16 && assign(schedule.operation_hash, parse_number<std::uint64_t>(value, 16))) ||
           bad_value(key, value);
  }
  if (key == "module") {
    auto words = split_quoted(value);
    if (!words || words->size() != 2) return bad_value(key, value);
    if (schedule.modules.size() >= kMaxModules) return fail("there are too many modules");
    if ((*words)[1] == "-") (*words)[1].clear();
    schedule.modules.push_back({std::move((*words)[0]), std::move((*words)[1])});
    return true;
  }
  return true;  // a line that a later Ravel may add; see the version rule
}

bool BodyParser::campaign(Schedule& schedule, std::string_view value) {
  const auto words = split_quoted(value);
  if (!words || words->size() != 3) return bad_value("campaign", value);
  const auto seed = split_key_value((*words)[1]);
  const auto execution = split_key_value((*words)[2]);
  if (!seed || seed->key != "seed" || !execution || execution->key != "execution") return bad_value("campaign", value);
  const auto seed_number = parse_number<std::uint64_t>(seed->value);
  const auto execution_number = parse_number<std::uint64_t>(execution->value);
  if (!seed_number || !execution_number) return bad_value("campaign", value);
  schedule.campaign_strategy = (*words)[0];
  schedule.campaign_seed = *seed_number;
  schedule.execution = *execution_number;
  return true;
}

bool BodyParser::launch(Schedule& schedule, std::string_view value) {
  const auto words = split_quoted(value);
  if (!words) return bad_value("launch", value);
  for (const std::string& word : *words) {
    const auto field = split_key_value(word);
    bool known = false;
    if (!field) {
    } else if (field->key == "carrier") {
      for (const CarrierKind kind : {CarrierKind::fiber, CarrierKind::thread}) {
        if (field->value == carrier_name(kind)) known = assign(schedule.launch.carrier, std::optional(kind));
      }
    } else if (field->key == "points") {
      for (const PointLevel level : {PointLevel::sync, PointLevel::shared, PointLevel::all}) {
        if (field->value == point_level_name(level)) known = assign(schedule.launch.points, std::optional(level));
      }
    } else if (field->key == "identities") {
      known = assign(schedule.launch.identities, parse_number<std::uint32_t>(field->value));
    } else if (field->key == "max-steps") {
      known = assign(schedule.launch.max_steps, parse_number<std::uint64_t>(field->value));
    } else if (field->key == "random-seed") {
      known = assign(schedule.launch.random_seed, parse_number<std::uint64_t>(field->value));
    } else if (field->key == "memory-model") {
      for (const MemoryModel model : {MemoryModel::sc, MemoryModel::c11}) {
        if (field->value == memory_model_name(model))
          known = assign(schedule.launch.memory_model, std::optional(model));
      }
    } else if (field->key == "history") {
      known = assign(schedule.launch.history, parse_number<std::uint32_t>(field->value));
    } else if (field->key == "races") {
      known = assign(schedule.launch.races, parse_number<std::uint8_t>(field->value));
    } else if (field->key == "heap") {
      known = assign(schedule.launch.heap, parse_number<std::uint8_t>(field->value));
    } else if (field->key == "uninitialised") {
      known = assign(schedule.launch.uninitialised, parse_number<std::uint8_t>(field->value));
    } else if (field->key == "calls") {
      for (const CallPoints calls : {CallPoints::listed, CallPoints::all}) {
        const bool is_it = parse_number<std::uint32_t>(field->value) == static_cast<std::uint32_t>(calls);
        if (is_it) known = assign(schedule.launch.calls, std::optional(calls));
      }
    } else if (field->key == "quarantine") {
      known = assign(schedule.launch.quarantine_kb, parse_number<std::uint32_t>(field->value));
    } else if (field->key == "files") {
      for (const FileView view : {FileView::apart, FileView::copied, FileView::shared}) {
        if (field->value == file_view_name(view)) known = assign(schedule.launch.files, std::optional(view));
      }
    } else if (field->key == "fresh") {
      known = assign(schedule.launch.single, parse_number<std::uint8_t>(field->value));
    } else if (field->key == "explore") {
      known = assign(schedule.launch.explored_call, parse_number<std::uint32_t>(field->value));
    } else if (field->key == "case") {
      known = assign(schedule.launch.explored_case, parse_number<std::uint64_t>(field->value, 16));
    } else if (field->key == "failed") {
      known = assign(schedule.launch.explored_failed, parse_number<std::uint64_t>(field->value, 16));
    } else if (field->key == "race-test") {
      schedule.race_test = field->value;
      known = !schedule.race_test.empty() && schedule.race_test.find('\0') == std::string::npos;
    } else if (field->key == "ok-exit") {
      const auto code = parse_number<std::uint8_t>(field->value);
      if ((known = code.has_value())) schedule.ok_exits.push_back(*code);
    }
    // An unknown option must not be skipped: the program would be started differently than it was recorded.
    if (!known) return bad_value("launch", word);
  }
  return true;
}

bool BodyParser::module_number(const Schedule& schedule, std::string_view text, std::uint32_t& module) const {
  if (text == "?") {
    module = kUnknownModule;
    return true;
  }
  const auto number = parse_number<std::uint32_t>(text);
  if (!number || *number >= schedule.modules.size()) return false;
  module = *number;
  return true;
}

bool BodyParser::sites(Schedule& schedule) {
  std::size_t count = 0;
  if (!count_line("sites", count)) return false;
  if (count > kMaxSites) return fail("there are too many sites");
  while (schedule.sites.size() < count) {
    if (!has_line()) return fail("sites are missing");
    const std::string_view line = take_line();
    const std::size_t space = line.find(' ');
    CodeLocation site;
    if (space == std::string_view::npos || !module_number(schedule, line.substr(0, space), site.module)) {
      return fail("this is not a line of sites");
    }
    std::string_view rest = line.substr(space + 1);
    bool first = true;
    while (!rest.empty()) {
      const char sign = rest.front();
      if (!first) {
        if (sign != '+' && sign != '-') return fail("this is not a line of sites");
        rest.remove_prefix(1);
      }
      const std::string_view digits = rest.substr(0, rest.find_first_of("+-"));
      const auto number = parse_number<std::uint64_t>(digits, 16);
      if (!number) return fail("this is not a line of sites");
      rest.remove_prefix(digits.size());
      site.offset = first ? *number : sign == '+' ? site.offset + *number : site.offset - *number;
      first = false;
      if (schedule.sites.size() == count) return fail("there are more sites than announced");
      schedule.sites.push_back(site);
    }
    if (first) return fail("this is not a line of sites");
  }
  return true;
}

// Lines of words, then lines without any space: the text itself.
bool BodyParser::section_text(SectionText& text) {
  constexpr std::string_view kWords = "words: ";
  while (has_line() && peek_line().starts_with(kWords)) {
    std::string_view line = take_line().substr(kWords.size());
    while (!line.empty()) {
      if (line.size() < 3 || (line.size() > 3 && line[3] != ' ')) return fail("this is not a list of words");
      if (text.words.size() > 128) return fail("there are too many words");
      text.words.push_back({line[0], line[1], line[2]});
      line.remove_prefix(std::min<std::size_t>(line.size(), 4));
    }
  }
  while (has_line() && peek_line().find(' ') == std::string_view::npos) {
    const std::string_view line = take_line();
    text.line_starts.emplace_back(text.packed.size(), line_number_);
    if (!std::all_of(line.begin(), line.end(), is_section_character))
      return fail("there is a character that may not be here");
    text.packed += line;
  }
  return true;
}

bool BodyParser::reader_of(const SectionText& text, PlainTextReader& reader) {
  for (const PackingWord& word : text.words) {
    if (!reader.define(word)) return fail_at(text.line_at(0), "the words before here contradict each other");
  }
  return true;
}

bool BodyParser::decision(PlainTextReader& reader, DecisionRun& run) {
  const char c = reader.take();
  if (c == '<') {
    std::string name;
    while (!reader.at_end() && reader.peek() != '=' && name.size() < 40) name += reader.take();
    if (!take_character(reader, '=') || !take_number(reader, run.value) || !take_character(reader, '>')) return false;
    if (name == "reads-from") {
      run.kind = DecisionKind::reads_from;
      return true;
    }
    run.kind = DecisionKind::environment;
    for (unsigned i = 0; i < kEnvironmentKinds; ++i) {
      if (name != environment_name(static_cast<EnvironmentKind>(i))) continue;
      run.detail = static_cast<EnvironmentKind>(i);
      return true;
    }
    return false;
  }
  if (c == '{') {
    if (!take_number(reader, run.value) || !take_character(reader, '}') || run.value >= kMaxTasks) return false;
  } else {
    const auto task = task_from_letter(c);
    if (!task) return false;
    run.value = *task;
  }
  if (!next_is_digit(reader)) return true;
  return take_number(reader, run.count) && run.count != 0;
}

bool BodyParser::decisions(Schedule& schedule) {
  std::uint64_t announced = 0;
  if (!count_line("decisions", announced)) return false;
  const std::size_t section_line = line_number_;
  SectionText text;
  if (!section_text(text)) return false;
  PlainTextReader reader(text.packed);
  if (!reader_of(text, reader)) return false;
  while (!reader.at_end()) {
    const std::size_t position = reader.position();
    if (schedule.decisions.size() >= kMaxScheduleRuns) {
      return fail_at(text.line_at(position), "there are more decisions than an execution can have");
    }
    DecisionRun run;
    if (!decision(reader, run)) return fail_at(text.line_at(position), "there is something that is not a decision");
    if (run.kind == DecisionKind::task) decided_steps_ += run.count;
    schedule.decisions.push_back(run);
  }
  if (decided_steps_ != announced) {
    return fail_at(section_line, "there are " + std::to_string(decided_steps_) + " decisions where " +
                                     std::to_string(announced) + " are announced");
  }
  return true;
}

bool BodyParser::places(const Schedule& schedule, std::size_t most, std::vector<ScheduleStep>& places) {
  constexpr std::string_view kPlaces = "places: ";
  while (has_line() && peek_line().starts_with(kPlaces)) {
    std::string_view line = take_line().substr(kPlaces.size());
    while (!line.empty()) {
      const std::string_view word = line.substr(0, line.find(' '));
      line.remove_prefix(std::min(line.size(), word.size() + 1));
      const std::size_t at = word.find('@');
      const std::size_t plus = word.find('+');
      if (at == word.npos || plus == word.npos || plus < at) return fail(quote(word) + " is not a place");
      ScheduleStep place;
      bool known = false;
      for (unsigned i = 0; i < kOperationKinds && !known; ++i) {
        place.kind = static_cast<OperationKind>(i);
        known = word.substr(0, at) == operation_name(place.kind);
      }
      const auto offset = parse_number<std::uint64_t>(word.substr(plus + 1), 16);
      if (!known || !offset || !module_number(schedule, word.substr(at + 1, plus - at - 1), place.where.module)) {
        return fail(quote(word) + " is not a place");
      }
      place.where.offset = *offset;
      if (places.size() >= most) return fail("there are more places than operations");
      places.push_back(place);
    }
  }
  return true;
}

bool BodyParser::operations(Schedule& schedule) {
  std::size_t count = 0;
  if (!count_line("operations", count)) return false;
  if (count > kMaxKeptOperations || count > decided_steps_) return fail("there are more operations than decisions");
  std::vector<ScheduleStep> known;
  SectionText text;
  if (!places(schedule, count, known) || !section_text(text)) return false;
  PlainTextReader reader(text.packed);
  if (!reader_of(text, reader)) return false;

  // The decisions say which steps belong to which task; the section lists them task by task.
  schedule.operations.resize(count);
  std::vector<std::pair<TaskId, std::uint32_t>> order;  // (task, step)
  order.reserve(count);
  for (const DecisionRun& run : schedule.decisions) {
    if (run.kind != DecisionKind::task) continue;
    for (std::uint32_t i = 0; i < run.count && order.size() < count; ++i) {
      order.emplace_back(run.value, static_cast<std::uint32_t>(order.size()));
    }
    if (order.size() == count) break;
  }
  std::sort(order.begin(), order.end());

  SuccessorTable table;
  std::uint32_t places_used = 0;
  std::uint64_t as_before = 0;
  std::uint32_t before = SuccessorTable::kStart;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t position = reader.position();
    const auto wrong = [&] { return fail_at(text.line_at(position), "there is something that is not an operation"); };
    std::uint32_t place = 0;
    if (as_before == 0 && next_is_digit(reader) && (!take_number(reader, as_before) || as_before == 0)) return wrong();
    if (as_before != 0) {
      const auto next = table.at_rank(before, 0);
      if (!next) return wrong();
      place = *next;
      --as_before;
    } else if (reader.at_end()) {
      return wrong();
    } else {
      const char c = reader.take();
      if (c >= 'a' && c <= 'z') {
        const auto next = table.at_rank(before, static_cast<std::uint32_t>(c - 'a') + 1);
        if (!next) return wrong();
        place = *next;
      } else if (c == '+') {
        place = places_used;
      } else if (c != '{' || !take_number(reader, place) || !take_character(reader, '}')) {
        return wrong();
      }
    }
    if (place >= known.size()) return wrong();
    places_used = std::max(places_used, place + 1);
    table.saw(before, place);
    before = place;
    schedule.operations[order[i].second] = {order[i].first, known[place].kind, known[place].where};

    const bool last_of_task = i + 1 == order.size() || order[i + 1].first != order[i].first;
    if (last_of_task) {
      if (as_before != 0 || !take_character(reader, ';')) return wrong();
      before = SuccessorTable::kStart;
    }
  }
  if (!reader.at_end()) return fail_at(text.line_at(reader.position()), "there is something after the last operation");
  return true;
}

Status damaged(const std::string& name, const std::string& how) {
  return Status::trouble(name + " is damaged" + how, kRecordAgain);
}

Status truncated(const std::string& name) {
  return Status::trouble(name + " is truncated: its last line, `end` with a checksum, is missing", kRecordAgain);
}

Status foreign(const std::string& name, const std::string& why) {
  return Status::trouble(name + " is not a schedule file: " + why, kGiveSchedule);
}

// The first line: is it a schedule of ours, in a version we know?
Status check_first_line(std::string_view text, const std::string& name) {
  const std::string magic = std::string(kScheduleMagic) + " ";
  if (text.empty()) return foreign(name, "it is empty");
  if (!text.starts_with(magic)) {
    if (magic.starts_with(text)) return truncated(name);
    return foreign(name, "it does not begin with `" + std::string(kScheduleMagic) + "`");
  }
  const std::size_t newline = text.find('\n');
  if (newline == std::string_view::npos) return truncated(name);
  std::string_view version_text = text.substr(magic.size(), newline - magic.size());
  if (version_text.ends_with('\r')) return damaged(name, ": its line endings were changed to those of Windows");
  const auto version = parse_number<std::uint64_t>(version_text);
  if (!version || *version == 0) return damaged(name, " at line 1: " + quote(version_text) + " is not a version");
  if (*version > kScheduleVersion) {
    return Status::trouble(name + " was made by a newer Ravel: its format is version " + std::to_string(*version) +
                               ", this Ravel reads up to " + std::to_string(kScheduleVersion),
                           "update Ravel");
  }
  return Status::ok();
}

}  // namespace

Result<Schedule> parse_schedule(std::string_view text, std::string_view name_view) {
  const std::string name(name_view);
  if (Status status = check_first_line(text, name); !status.is_ok()) return status;

  // The end line proves that nothing is missing, so check it before anything else.
  const std::string_view whole = text.ends_with('\n') ? text.substr(0, text.size() - 1) : text;
  const std::size_t last_newline = whole.rfind('\n');
  if (last_newline == std::string_view::npos) return truncated(name);
  const std::string_view last_line = whole.substr(last_newline + 1);
  const std::size_t lines = static_cast<std::size_t>(std::count(whole.begin(), whole.end(), '\n')) + 1;
  constexpr std::string_view kEnd = "end ";
  std::optional<std::uint64_t> checksum;
  if (last_line.starts_with(kEnd) && last_line.size() == kEnd.size() + 16) {
    checksum = parse_number<std::uint64_t>(last_line.substr(kEnd.size()), 16);
  }
  if (!checksum) {
    if (whole.find("\nend ") < last_newline) return damaged(name, ": something follows its `end` line");
    return truncated(name);
  }

  const bool intact = schedule_checksum(text.substr(0, last_newline + 1)) == *checksum;
  const std::size_t body = text.find('\n') + 1;
  Schedule schedule;
  BodyParser parser(body <= last_newline ? text.substr(body, last_newline + 1 - body) : std::string_view());
  if (!parser.parse(schedule)) {
    const std::string where = " at line " + std::to_string(parser.problem_line()) + ": " + parser.problem();
    if (!intact) return damaged(name, where);
    return Status::trouble(name + " has a wrong value" + where,
                           "record it again with `ravel run`, or update Ravel if a newer one wrote it");
  }
  if (!intact) {
    return damaged(name, ": the checksum at line " + std::to_string(lines) + " does not match what precedes it");
  }
  return schedule;
}

Result<Schedule> read_schedule(const std::string& path) {
  const auto cannot_read = [&](int error) {
    return Status::trouble("cannot read the schedule " + path + ": " + std::strerror(error), kGiveSchedule);
  };
  // O_NONBLOCK: opening a pipe must not wait for a writer.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return cannot_read(errno);
  struct Closer {
    int file;
    ~Closer() { ::close(file); }
  } closer{file};

  struct stat about = {};
  if (::fstat(file, &about) != 0) return cannot_read(errno);
  if (S_ISDIR(about.st_mode)) return Status::trouble(path + " is a directory, not a schedule file", kGiveSchedule);
  if (!S_ISREG(about.st_mode)) return foreign(path, "it is not a regular file");
  if (static_cast<std::uint64_t>(about.st_size) > kMaxScheduleBytes) return foreign(path, "it is too large for one");

  std::string text(static_cast<std::size_t>(about.st_size), '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const ssize_t count = ::read(file, text.data() + filled, text.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return cannot_read(errno);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  text.resize(filled);
  return parse_schedule(text, path);
}

}  // namespace ravel
