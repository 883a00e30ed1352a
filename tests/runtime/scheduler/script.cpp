// SPDX-License-Identifier: Apache-2.0
#include "script.h"

#include <sys/mman.h>

#include <cassert>
#include <cstdlib>
#include <new>
#include <sstream>

namespace ravel::test {
namespace {

// Does what the test says: the scripted task once, then back to the test.
class ScriptChooser final : public Chooser {
 public:
  void begin(const Plan&, std::span<const std::uint64_t>) override { next_ = 0; }
  void on_pending(const Operation&) override {}
  void on_enabled(TaskId, bool) override {}
  void on_yield(TaskId) override {}
  TaskId choose_task(const TaskChoice&) override {
    const TaskId chosen = next_;
    next_ = 0;
    return chosen;
  }
  void on_step(const Operation&) override {}
  std::uint32_t choose_environment(EnvironmentKind, std::uint32_t) override { return 0; }
  std::uint32_t choose_store(std::uint32_t) override { return store_; }
  void set_next(TaskId task) { next_ = task; }
  void set_store(std::uint32_t store) { store_ = store; }

 private:
  std::uint32_t store_ = 0;
  TaskId next_ = 0;
};

// Tasks on ucontext stacks, all with the identity of the test's thread: enough for operations without TLS.
class ScriptCarrier final : public Carrier {
 public:
  struct Context : CarrierContext {
    ucontext_t machine;
    std::unique_ptr<char[]> stack;
  };

  CarrierContext& adopt_main(IdentityHook) override { return main_; }
  void prepare(std::uint32_t) override {}
  void after_fork() override {}
  CarrierContext* create(const pthread_attr_t*, void (*entry)(void*), void* argument, int*) override {
    constexpr std::size_t kStack = 256 * 1024;
    auto context = std::make_unique<Context>();
    context->entry = entry;
    context->argument = argument;
    context->stack = std::make_unique<char[]>(kStack);
    getcontext(&context->machine);
    context->machine.uc_stack.ss_sp = context->stack.get();
    context->machine.uc_stack.ss_size = kStack;
    context->handle = contexts_.size() + 1;
    const auto pointer = reinterpret_cast<std::uint64_t>(context.get());
    makecontext(&context->machine, reinterpret_cast<void (*)()>(&start), 2, static_cast<unsigned>(pointer >> 32),
                static_cast<unsigned>(pointer));
    contexts_.push_back(std::move(context));
    return contexts_.back().get();
  }
  void switch_to(CarrierContext& from, CarrierContext& to) override {
    swapcontext(&static_cast<Context&>(from).machine, &static_cast<Context&>(to).machine);
  }

 private:
  static void start(unsigned high, unsigned low) {
    auto* context = reinterpret_cast<Context*>((static_cast<std::uint64_t>(high) << 32) | low);
    context->entry(context->argument);
  }
  Context main_;
  std::vector<std::unique_ptr<Context>> contexts_;
};

std::unique_ptr<ScriptChooser> g_chooser;
std::unique_ptr<ScriptCarrier> g_carrier;
std::vector<DecisionRun> g_replay;

bool is_free(const void* object, const Task& task) {
  const auto& mutex = *static_cast<const ScriptObject*>(object);
  return mutex.owner == kNoTask || mutex.owner == task.id;
}

TaskId holder_of(const void* object) { return static_cast<const ScriptObject*>(object)->owner; }

std::uint64_t key_of(const ScriptObject& object) { return reinterpret_cast<std::uint64_t>(&object.value); }

const char* answer(Turn turn) { return turn == Turn::go ? "go" : turn == Turn::timed_out ? "timed out" : "cancelled"; }

}  // namespace

void Script::replay(const std::vector<DecisionRun>& decisions) { g_replay = decisions; }

Script::Script(std::vector<std::string> lines) {
  void* memory =
      mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  channel_ = static_cast<Channel*>(memory);
  channel_->launch.options = LaunchOptions{};
  channel_->launch.options.max_steps = 4000;
  RequestHead asked;
  asked.plan.spin_power = 1;
  write_request(*channel_, asked, g_replay);
  g_replay.clear();

  g_chooser = std::make_unique<ScriptChooser>();
  g_carrier = std::make_unique<ScriptCarrier>();
  SchedulerHooks hooks;
  hooks.begin_control = [] { scheduler().begin_execution(*g_chooser); };
  Scheduler* fresh = new (&scheduler()) Scheduler;
  fresh->start(*channel_, *g_carrier, hooks, nullptr);

  for (const std::string& text : lines) {
    auto line = std::make_unique<Line>();
    line->script = this;
    const std::size_t colon = text.find(':');
    line->name = text.substr(0, colon);
    std::istringstream rest(text.substr(colon + 1));
    for (std::string part; std::getline(rest, part, ',');) {
      std::istringstream words(part);
      std::string verb;
      std::string argument;
      words >> verb >> argument;
      const std::string object = argument.substr(0, argument.find('='));
      if (!object.empty() && objects_[object] == nullptr) objects_[object] = std::make_unique<ScriptObject>();
      line->operations.emplace_back(verb, argument);
    }
    Operation create;
    create.kind = OperationKind::task_create;
    int error = 0;
    Task* task = scheduler().create(create, &Script::body, line.get(), nullptr, &error);
    assert(task != nullptr);
    ids_[line->name] = task->id;
    lines_.push_back(std::move(line));
  }
  // Every task is brought to its first operation, so that the first step() performs it.
  for (const auto& line : lines_) step(line->name);
}

Script::~Script() { munmap(channel_, sizeof(Channel)); }

void* Script::body(void* argument) {
  auto& line = *static_cast<Line*>(argument);
  for (const auto& [verb, object] : line.operations) line.script->perform(line.name, verb, object);
  return nullptr;
}

void Script::perform(const std::string& task, const std::string& verb, const std::string& argument) {
  const std::string name = argument.substr(0, argument.find('='));
  ScriptObject* target = name.empty() ? nullptr : objects_[name].get();
  Scheduler& engine = scheduler();
  Operation operation;
  operation.pc = 1000 + verb.size();
  if (target != nullptr) operation.object = key_of(*target);
  Turn turn = Turn::go;
  if (verb == "lock" || verb == "timedlock") {
    operation.kind = OperationKind::mutex_lock;
    Wait wait{key_of(*target), &is_free, target};
    wait.holder = &holder_of;
    if (verb == "timedlock") wait.deadline = engine.now() + 1000;
    turn = engine.reach(operation, wait);
    if (turn == Turn::go) {
      target->owner = engine.current().id;
      engine.changed(key_of(*target));
    }
  } else if (verb == "unlock") {
    operation.kind = OperationKind::mutex_unlock;
    engine.reach(operation);
    target->owner = kNoTask;
    engine.changed(key_of(*target));
  } else if (verb == "read" || verb == "spin") {
    operation.kind = OperationKind::atomic_load;
    operation.size = 8;
    do {
      engine.reach(operation);
    } while (verb == "spin" && target->value == 0);
  } else if (verb == "pick") {
    operation.kind = OperationKind::atomic_load;
    operation.size = 8;
    engine.reach(operation);
    const auto options = std::strtoull(argument.substr(argument.find('=') + 1).c_str(), nullptr, 10);
    const std::uint32_t store = engine.choose_store(static_cast<std::uint32_t>(options));
    log_.push_back(task + " pick " + name + " -> " + std::to_string(store));
    return;
  } else if (verb == "write") {
    operation.kind = OperationKind::atomic_store;
    operation.size = 8;
    engine.reach(operation);
    target->value = std::strtoull(argument.substr(argument.find('=') + 1).c_str(), nullptr, 10);
    engine.memory_written(operation.object, 8);
  } else if (verb == "yield") {
    engine.yield(operation.pc);
  } else if (verb == "sleep") {
    operation.kind = OperationKind::sleep;
    Wait wait;
    wait.ready = [](const void*, const Task&) { return false; };
    wait.deadline = engine.now() + 5000;
    turn = engine.reach(operation, wait);
  }
  log_.push_back(task + " " + verb + (name.empty() ? "" : " " + name) + " -> " + answer(turn));
}

void Script::step(const std::string& name) {
  g_chooser->set_next(ids_[name]);
  Operation turn;  // of a kind that is never taken for spinning
  turn.kind = OperationKind::annotation;
  scheduler().reach(turn);
}

void Script::answer_stores(std::uint32_t store) { g_chooser->set_store(store); }

std::set<std::string> Script::enabled() const {
  std::set<std::string> names;
  for (const auto& [name, id] : ids_) {
    if (!ended(name) && scheduler().is_enabled(id)) names.insert(name);
  }
  return names;
}

bool Script::ended(const std::string& name) const { return scheduler().task(ids_.at(name))->state == TaskState::ended; }

}  // namespace ravel::test
