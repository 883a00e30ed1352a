// SPDX-License-Identifier: Apache-2.0
#include "script.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <sstream>

#include "runtime/scheduler/task_thread.h"
#include "script_text.h"

namespace ravel::test {
namespace {

// -- the process that runs it ---------------------------------------------------------------------------------------

// What the child tells, in memory it shares with the test.
struct Transcript {
  char actor[16];  // whose step is being made
  std::size_t length;
  char text[1 << 16];

  void add(const std::string& line) {
    const std::size_t taken = std::min(line.size() + 1, sizeof text - length);
    std::memcpy(text + length, (line + "\n").data(), taken);
    length += taken;
  }
};

// A command that has begun.
struct Call {
  std::string text;
  std::uint64_t pc = 0;
  bool stepped = false;  // has made a step of its own
  bool shown = false;    // an earlier row has told of it
  bool over = false;
};

struct Player {
  const ScriptText::Line* line = nullptr;
  Task* task = nullptr;
  bool starts_unscripted = false;
  std::vector<Call*> calls;  // innermost last
};

class Stage final : public Chooser {
 public:
  Stage(const Vocabulary& vocabulary, const ScriptText& script, Channel& channel, Transcript& transcript)
      : vocabulary_(vocabulary), script_(script), channel_(channel), transcript_(transcript) {}

  [[noreturn]] void run();

  // Chooser
  void begin(const Plan&, std::span<const std::uint64_t>) override {}
  void on_pending(const Operation&) override {}
  void on_enabled(TaskId task, bool enabled) override {
    if (enabled) {
      enabled_.insert(task);
    } else {
      enabled_.erase(task);
    }
  }
  void on_yield(TaskId) override {}
  TaskId choose_task(const TaskChoice& choice) override;
  void on_step(const Operation& operation) override;
  std::uint32_t choose_environment(EnvironmentKind kind, std::uint32_t) override {
    return answer(DecisionKind::environment, kind);
  }
  std::uint32_t choose_store(std::uint32_t) override { return answer(DecisionKind::reads_from, {}); }

  // The step is over: somebody makes another one, or nobody can.
  void close_row();
  // The execution was ended.
  void stopped();

  // For vocabularies
  void name_object(std::string_view name, std::uint64_t address, std::size_t size) {
    objects_[address] = {std::string(name), size};
  }
  Player& player() { return *players_of_task_.at(scheduler().current().id); }
  Player& player(const std::string& name);
  Task& create(Player& player, Vocabulary::Create by);
  void perform_routine(const std::string& name) { perform_all(script_.routines.at(name)); }
  void tell(const std::string& event) { events_.push_back(event); }

 private:
  static void* body(void* player) {
    auto& me = *static_cast<Player*>(player);
    stage->players_of_task_[scheduler().current().id] = &me;
    stage->perform_all(*me.line);
    return nullptr;
  }
  void declare(const Words& words);
  void perform_all(const ScriptText::Line& line);
  void perform(const std::string& command, std::uint64_t pc);
  [[noreturn]] void end();
  [[noreturn]] void refuse(const Row& row);
  const Row* next_step();
  std::uint32_t answer(DecisionKind kind, EnvironmentKind detail);
  bool has_command(std::string_view command) const;

  std::string name_of(TaskId task) const;
  std::string name_of(const Operation& operation) const;
  std::string enabled_text() const;
  void tell_findings();

  const Vocabulary& vocabulary_;
  const ScriptText& script_;
  Channel& channel_;
  Transcript& transcript_;
  std::vector<std::unique_ptr<Player>> players_;
  std::map<TaskId, Player*> players_of_task_;
  std::map<std::string, std::string> variables_;
  std::map<std::uint64_t, std::pair<std::string, std::size_t>> objects_;
  std::set<TaskId> enabled_;
  bool creating_ = true;
  bool unscripted_ = false;  // "..."
  std::uint64_t time_ = 0;
  std::uint32_t findings_ = 0;
  std::size_t next_row_ = 0;

  // The step that is being made.
  Player* actor_ = nullptr;
  std::string label_;
  bool tells_enabled_ = true;
  std::vector<Answer> answers_;
  Words events_;

 public:
  static inline Stage* stage = nullptr;
  static inline bool (*wait_for_external)(int) = nullptr;

  // A command from its beginning to its end, also when the stack is unwound.
  class Performance {
   public:
    Performance(Player& player, std::string text, std::uint64_t pc) : player_(player), call_{std::move(text), pc} {
      player.calls.push_back(&call_);
    }
    ~Performance() {
      finish(" left");
      player_.calls.pop_back();
    }
    Performance(const Performance&) = delete;
    Performance& operator=(const Performance&) = delete;
    void finish(const std::string& answer) {
      if (!call_.over) stage->tell((call_.shown ? "... " : "") + call_.text + answer);
      call_.over = true;
    }

   private:
    Player& player_;
    Call call_;
  };
};

void Stage::declare(const Words& words) {
  for (std::size_t i = 1; i < words.size() && (words[0] == "plan" || words[0] == "launch"); ++i) {
    const std::string name = words[i].substr(0, words[i].find('='));
    const std::string value = name == words[i] ? "1" : words[i].substr(name.size() + 1);
    Plan& plan = channel_.request.plan;
    LaunchOptions& launch = channel_.launch.options;
    if (name == "spin") {
      plan.spin_power = static_cast<std::uint8_t>(to_number(value));
    } else if (name == "exhaustive") {
      plan.exhaustive = 1;
    } else if (name == "short-sleeps") {
      plan.short_sleeps = 1;
    } else if (name == "trace") {
      plan.trace = value == "values" ? TraceLevel::values : TraceLevel::operations;
    } else if (name == "max-steps") {
      launch.max_steps = to_number(value);
    } else if (name == "heap") {
      launch.heap = 1;
    } else if (name == "uninitialised") {
      launch.uninitialised = 1;
    } else if (name == "quarantine") {
      launch.quarantine_kb = to_number(value);
    } else if (name == "races") {
      launch.races = 1;
    } else if (name == "points") {
      launch.points = value == "all" ? PointLevel::all : value == "shared" ? PointLevel::shared : PointLevel::sync;
    } else if (name == "weak-memory") {
      launch.memory_model = MemoryModel::c11;
    } else if (name == "instrumented") {
      channel_.launch.instrumented = 1;
    } else {
      misspelt(words[i]);
    }
  }
}

bool Stage::has_command(std::string_view command) const {
  const auto here = [&](const ScriptText::Line& line) {
    return std::any_of(line.commands.begin(), line.commands.end(),
                       [&](const std::string& text) { return text.starts_with(command); });
  };
  return std::any_of(script_.tasks.begin(), script_.tasks.end(), here);
}

void Stage::run() {
  stage = this;
  for (const Words& words : script_.declarations) declare(words);
  SchedulerHooks hooks = vocabulary_.hooks == nullptr ? SchedulerHooks{} : vocabulary_.hooks(channel_);
  wait_for_external = hooks.wait_for_external;
  hooks.wait_for_external = [](int milliseconds) {
    stage->close_row();
    return wait_for_external != nullptr && wait_for_external(milliseconds);
  };
  hooks.begin_control = [] { scheduler().begin_execution(*stage); };
  hooks.end_process = [](int) { stage->end(); };
  hooks.flush_output = [] { stage->stopped(); };
  scheduler().start(channel_, fiber_carrier(), hooks, &mark_task_thread);
  for (const Words& words : script_.declarations) {
    if (words[0] == "plan" || words[0] == "launch") continue;
    if (vocabulary_.declare == nullptr || !vocabulary_.declare(words)) misspelt(join(words));
  }
  for (const ScriptText::Line& line : script_.tasks) {
    players_.push_back(std::make_unique<Player>());
    players_.back()->line = &line;
    players_.back()->starts_unscripted = std::none_of(script_.rows.begin(), script_.rows.end(), [&](const Row& row) {
      return row.task == line.name && row.text.starts_with(row.label + " starts");
    });
  }
  for (const auto& player : players_) {
    if (!has_command("create " + player->line->name)) create(*player, vocabulary_.create);
  }
  creating_ = false;
  for (TaskId id = 1; id < scheduler().task_count(); ++id) {
    Task* const task = scheduler().task(id);
    Operation operation;
    operation.kind = OperationKind::task_join;
    operation.object = id;
    const auto ended = [](const void* waited, const Task&) {
      return static_cast<const Task*>(waited)->state == TaskState::ended;
    };
    scheduler().reach(operation, Wait{Scheduler::join_key(*task), ended, task});
  }
  end();
}

void Stage::end() {
  close_row();
  _exit(0);
}

Player& Stage::player(const std::string& name) {
  for (const auto& player : players_) {
    if (player->line->name == name) return *player;
  }
  misspelt(name);
}

Task& Stage::create(Player& player, Vocabulary::Create by) {
  player.task = by(&Stage::body, &player);
  if (player.task == nullptr) misspelt(player.line->name + " could not be created");
  players_of_task_[player.task->id] = &player;
  return *player.task;
}

void Stage::perform_all(const ScriptText::Line& line) {
  for (const std::string& command : line.commands) perform(command, reinterpret_cast<std::uint64_t>(&command));
}

void Stage::perform(const std::string& command, std::uint64_t pc) {
  Words words = split(command);
  const auto rest = [&](std::size_t from) {
    return join({words.begin() + static_cast<std::ptrdiff_t>(from), words.end()});
  };
  if (words[0] == "set") {
    variables_[words.at(1)] = words.at(2);
  } else if (words[0] == "while") {
    if (!variables_.contains(words.at(1))) variables_[words[1]] = "0";
    while (variables_[words[1]] == words.at(2)) perform(rest(3), pc);
  } else if (words[0] == "repeat") {
    for (std::uint32_t left = to_number(words.at(1)); left > 0; --left) perform(rest(2), pc);
  } else if (words[0] == "call") {
    perform_routine(words.at(1));
  } else {
    const auto verb = vocabulary_.verbs.find(words[0]);
    if (verb == vocabulary_.verbs.end()) misspelt(command);
    Performance performance(player(), command, pc);
    const std::string answer = verb->second(words);
    performance.finish(answer.empty() ? "" : " = " + answer);
  }
}

// -- the schedule ---------------------------------------------------------------------------------------------------

// The next row that is a step; null behind the last one, and where "..." begins.
const Row* Stage::next_step() {
  for (; next_row_ < script_.rows.size(); ++next_row_) {
    if (!script_.rows[next_row_].task.empty()) return &script_.rows[next_row_];
    if (script_.rows[next_row_].text == "...") return nullptr;
  }
  return nullptr;
}

TaskId Stage::choose_task(const TaskChoice& choice) {
  if (creating_) return 0;
  for (const auto& player : players_) {
    if (player->starts_unscripted && player->task != nullptr && enabled_.contains(player->task->id))
      return player->task->id;
  }
  const Row* const row = next_step();
  if (row != nullptr) {
    const Task* const wanted = player(row->task).task;
    if (wanted == nullptr || !enabled_.contains(wanted->id)) refuse(*row);
    return wanted->id;
  }
  if (next_row_ == script_.rows.size()) end();
  const auto next = enabled_.upper_bound(choice.current);
  if (next != enabled_.end()) return *next;
  return *enabled_.begin() == 0 ? *std::next(enabled_.begin()) : *enabled_.begin();
}

void Stage::refuse(const Row& row) {
  close_row();
  transcript_.add(row.task + " cannot run");
  end();
}

void Stage::on_step(const Operation& operation) {
  close_row();
  if (operation.task == 0 || unscripted_) return;
  Player& player = *players_of_task_.at(operation.task);
  if (player.starts_unscripted) {
    player.starts_unscripted = false;
    actor_ = &player;
    label_.clear();
    return;
  }
  const Row* const row = next_step();
  if (row == nullptr && next_row_ == script_.rows.size()) end();
  if (row == nullptr) {
    transcript_.add("...");
    unscripted_ = true;
    return;
  }
  if (scheduler().now() != time_) transcript_.add("at " + time_text(scheduler().now()));
  time_ = scheduler().now();
  if (row->task != player.line->name) refuse(*row);
  ++next_row_;
  actor_ = &player;
  row->task.copy(transcript_.actor, sizeof transcript_.actor - 1);
  label_ = row->label;
  answers_ = row->answers;
  tells_enabled_ = row->tells_enabled;
  if (operation.kind == OperationKind::task_start) events_.emplace_back("starts");
  if (operation.kind == OperationKind::task_end) events_.emplace_back("ends");
  if (!player.calls.empty()) player.calls.back()->stepped = true;
}

std::uint32_t Stage::answer(DecisionKind kind, EnvironmentKind detail) {
  const auto found = std::find_if(answers_.begin(), answers_.end(),
                                  [&](const Answer& one) { return one.kind == kind && one.detail == detail; });
  if (found == answers_.end()) return 0;
  const std::uint32_t value = found->value;
  answers_.erase(found);
  return value;
}

// -- the transcript -------------------------------------------------------------------------------------------------

std::string Stage::name_of(TaskId task) const {
  const auto player = players_of_task_.find(task);
  return player == players_of_task_.end() ? "T" + std::to_string(task) : player->second->line->name;
}

std::string Stage::name_of(const Operation& operation) const {
  switch (operation.kind) {
    case OperationKind::task_join:
    case OperationKind::task_detach:
    case OperationKind::task_cancel:
      return " " + name_of(static_cast<TaskId>(operation.object));
    default:
      break;
  }
  const auto after = objects_.upper_bound(operation.object);
  if (after == objects_.begin()) return "";
  const auto& [address, object] = *std::prev(after);
  const std::uint64_t offset = operation.object - address;
  if (offset >= object.second) return "";
  return " " + object.first + (offset == 0 ? "" : "+" + std::to_string(offset));
}

std::string Stage::enabled_text() const {
  Words names;
  for (const TaskId task : enabled_) {
    if (task != 0) names.push_back(name_of(task));
  }
  return names.empty() ? "nobody" : join(names);
}

void Stage::close_row() {
  if (actor_ != nullptr) {
    for (Call* call : actor_->calls) {
      if (!call->stepped || call->shown) continue;
      events_.push_back(call->text + " ...");
      call->shown = true;
    }
    if (!label_.empty() || !events_.empty()) {
      if (events_.empty()) events_.emplace_back("...");
      transcript_.add((label_.empty() ? actor_->line->name + " starts," : label_) + " " + join(events_, ", ") +
                      (tells_enabled_ ? " | " + enabled_text() : ""));
    }
  }
  actor_ = nullptr;
  transcript_.actor[0] = '\0';
  events_.clear();
  answers_.clear();
  tells_enabled_ = true;
  tell_findings();
}

void Stage::tell_findings() {
  for (; findings_ < channel_.result.findings; ++findings_) {
    const FindingRecord& finding = channel_.result.finding[findings_];
    const std::string line = finding_name(finding.kind);
    if (finding.message[0] != '\0') {
      transcript_.add(line + (finding.task == 0 ? "" : " by " + name_of(finding.task)) + ": " + finding.message);
      continue;
    }
    Words parts;
    for (unsigned i = 0; i < finding.participants; ++i) {
      const ParticipantRecord& part = finding.participant[i];
      if (part.operation.task == 0) continue;
      parts.push_back(name_of(part.operation.task) + " " + operation_name(part.operation.kind) +
                      name_of(part.operation) + (part.holder == kNoTask ? "" : " held by " + name_of(part.holder)));
    }
    transcript_.add(line + ": " + join(parts, ", "));
  }
}

void Stage::stopped() {
  close_row();
  if (channel_.result.summary.outcome == Outcome::cut) transcript_.add("cut");
  if (channel_.result.summary.outcome == Outcome::diverged) {
    constexpr const char* kReasons[] = {"none", "task not enabled", "no such task", "another kind of decision",
                                        "choice out of range"};
    transcript_.add(std::string("diverged: ") + kReasons[channel_.result.summary.divergence.reason]);
  }
}

// A script takes a millisecond. One that does not end must not outlive its test, whatever has become of its threads and
// signal masks.
void end_late_process() {
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGKILL;
  itimerspec limit = {};
  limit.it_value.tv_sec = 20;
  timer_t timer = {};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) timer_settime(timer, 0, &limit, nullptr);
}

template <typename T>
T* map_shared() {
  void* const memory =
      mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  EXPECT_NE(memory, MAP_FAILED);
  return static_cast<T*>(memory);
}

// Lines one below the other, their columns aligned, those that differ marked.
std::string shown(const Words& lines, const Words& others) {
  std::size_t width = 0;
  for (const std::string& line : lines) width = std::max(width, std::min(line.find(" |"), line.size()));
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string line = lines[i];
    const std::size_t bar = line.find(" |");
    if (bar != std::string::npos) line.insert(bar, width - bar, ' ');
    text += (i < others.size() && others[i] == lines[i] ? "    " : "  > ") + line + "\n";
  }
  return text;
}

}  // namespace

void name_object(std::string_view name, const volatile void* address, std::size_t size) {
  Stage::stage->name_object(name, reinterpret_cast<std::uint64_t>(address), size);
}
std::uint64_t here() { return Stage::stage->player().calls.back()->pc; }
Task& create_task(const std::string& name, Vocabulary::Create create) {
  return Stage::stage->create(Stage::stage->player(name), create);
}
Task& task_named(const std::string& name) {
  Task* const task = Stage::stage->player(name).task;
  if (task == nullptr) misspelt(name + " is not there yet");
  return *task;
}
void perform_routine(const std::string& name) { Stage::stage->perform_routine(name); }

void leave_command() {
  Call& call = *Stage::stage->player().calls.back();
  call.over = true;
  Stage::stage->tell(call.text);
}

std::uint32_t to_number(const std::string& text) {
  return static_cast<std::uint32_t>(std::strtoul(text.c_str(), nullptr, 10));
}

std::uint64_t to_time(const std::string& text) {
  char* unit = nullptr;
  const std::uint64_t number = std::strtoull(text.c_str(), &unit, 10);
  const std::map<std::string, std::uint64_t> units{{"s", 1'000'000'000}, {"ms", 1'000'000}, {"us", 1'000}, {"ns", 1}};
  const auto found = units.find(unit);
  if (found == units.end()) misspelt(text);
  return number * found->second;
}

std::string time_text(std::uint64_t nanoseconds) {
  for (const auto& [size, unit] : {std::pair{1'000'000'000U, "s"}, {1'000'000U, "ms"}, {1'000U, "us"}}) {
    if (nanoseconds % size == 0) return std::to_string(nanoseconds / size) + unit;
  }
  return std::to_string(nanoseconds) + "ns";
}

void misspelt(std::string_view text) {
  std::fprintf(stderr, "the script is wrong: %.*s\n", static_cast<int>(text.size()), text.data());
  _exit(1);
}

Script::Script(const Vocabulary& vocabulary, std::string_view text, std::vector<DecisionRun> prefix,
               std::source_location where)
    : channel_(map_shared<Channel>()) {
  const ScriptText script = parse(text);
  LaunchOptions& options = channel_->launch.options;
  options = LaunchOptions{};
  options.points = PointLevel::sync;
  options.memory_model = MemoryModel::sc;
  options.races = 0;
  options.heap = 0;
  options.max_steps = 4000;
  write_request(*channel_, RequestHead{}, prefix);
  auto* const transcript = map_shared<Transcript>();

  const pid_t child = fork();
  if (child == 0) {
    end_late_process();
    Stage(vocabulary, script, *channel_, *transcript).run();
  }
  int status = 0;
  waitpid(child, &status, 0);

  Words told;
  std::istringstream lines{std::string(transcript->text, transcript->length)};
  for (std::string line; std::getline(lines, line);) told.push_back(join(split(line)));
  const std::string actor = transcript->actor;
  munmap(transcript, sizeof(Transcript));
  if (WIFSIGNALED(status)) told.push_back(actor + " is killed by signal " + std::to_string(WTERMSIG(status)));
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
    told.push_back(actor + " ends the process with " + std::to_string(WEXITSTATUS(status)));
  }
  Words expected;
  for (const Row& row : script.rows) expected.push_back(row.text);
  if (told == expected) return;
  ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line())) << "The script did\n"
                                                                    << shown(told, expected) << "and should have done\n"
                                                                    << shown(expected, told);
}

Script::~Script() { munmap(channel_, sizeof(Channel)); }

std::vector<DecisionRun> Script::decisions() const {
  const auto made = decisions_of(*channel_);
  return {made.begin(), made.end()};
}

}  // namespace ravel::test
