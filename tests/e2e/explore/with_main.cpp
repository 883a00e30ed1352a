// SPDX-License-Identifier: Apache-2.0
// ravel::explore without a framework. with_main NAME explores the body or scenario of that name: prints its result, and
// exits with 0 if it passed.
#include "bodies.h"

#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

namespace {

// choose: the number itself decides.
void chooses() { assert(ravel::choose(5) != 3); }

void chooses_never_wrong() { assert(ravel::choose(5) < 5 && ravel::choose(3) < 3); }

struct Account {
  int owner = 0;
  int balance = 0;
};

void labels() {
  auto account = std::make_unique<Account>();
  ravel::label(*account, "the account");
  std::thread other([&] { account->balance += 1; });
  account->balance += 2;
  other.join();
}

// Without the points nothing that Ravel sees happens between the two halves.
volatile int hidden = 0;
__attribute__((no_sanitize("thread"))) void add_unseen() {
  const int seen = hidden;
  ravel::sync_point("between");
  hidden = seen + 1;
}
void sync_points() {
  std::thread other(add_unseen);
  add_unseen();
  other.join();
  if (hidden != 2) ravel::fail("an update was lost");
}

std::atomic<int> shared{0};
void add_atomically() {
  const ravel::atomic_section section;
  shared = shared + 1;
}
void sections() {
  std::thread other(add_atomically);
  add_atomically();
  other.join();
  assert(shared == 2);
}
void section_that_waits() {
  static std::mutex mutex;
  std::thread other([] {
    const std::lock_guard lock(mutex);
    shared = shared + 1;
  });
  {
    const ravel::atomic_section section;
    const std::lock_guard lock(mutex);
    shared = shared + 1;
  }
  other.join();
  assert(shared == 2);
}

void large() {
  std::atomic<int> count{0};
  const auto work = [&] {
    for (int i = 0; i < 12; ++i) ++count;
  };
  std::thread first(work);
  std::thread second(work);
  work();
  first.join();
  second.join();
}

// What a body leaves behind in global variables is put back, and named.
int executions_so_far = 0;
void changes_globals() {
  static int cached = 0;
  assert(executions_so_far == 0 && cached == 0);
  std::thread other([] { ++executions_so_far; });
  other.join();
  cached = 7;
}

void nested() { (void)ravel::explore(bodies::passes); }
void forks() { (void)fork(); }
void execs() { execl("/bin/true", "true", nullptr); }
void exits() { std::exit(3); }
void exits_in_thread() {
  std::thread([] { _exit(0); }).join();
}

struct Scenario {
  const char* name;
  void (*body)();
};
const Scenario kScenarios[] = {
#define BODY(function, test, kind) {#function, bodies::function},
    BODIES(BODY) OPTION_BODIES(BODY){"chooses", chooses},
    {"chooses_never_wrong", chooses_never_wrong},
    {"labels", labels},
    {"sync_points", sync_points},
    {"sections", sections},
    {"section_that_waits", section_that_waits},
    {"large", large},
    {"changes_globals", changes_globals},
    {"changes_globals_by_fork", changes_globals},
    {"nested", nested},
    {"forks", forks},
    {"execs", execs},
    {"exits", exits},
    {"exits_in_thread", exits_in_thread},
};

ravel::ExploreResult with_thread_before(bool joined) {
  static std::atomic<bool> stop{false};
  std::thread before([] {
    while (!stop) usleep(1000);
  });
  stop = joined;
  if (joined) before.join();
  const ravel::ExploreResult result = ravel::explore(bodies::passes);
  stop = true;
  if (!joined) before.join();
  return result;
}

// Nothing but the quiet answer without Ravel.
ravel::ExploreResult helpers_without_exploring() {
  int object = 0;
  ravel::label(object, "object");
  ravel::sync_point("here");
  const ravel::atomic_section section;
  ravel::fail("nobody hears this");
  ravel::ExploreResult result;
  result.passed = ravel::choose(7) == 0;
  return result;
}

// The process that is started for the call does not come to it.
ravel::ExploreResult unreachable() {
  const bool again = ravel::exploring::ask_runtime(1, 1) != ravel::exploring::Call::start_tool;
  if (again) std::exit(0);
  return ravel::explore(bodies::passes);
}

ravel::ExploreResult explore_named(const std::string& name) {
  if (name == "helpers") return helpers_without_exploring();
  if (name == "unreachable") return unreachable();
  if (name == "thread_before") return with_thread_before(false);
  if (name == "joined_before") return with_thread_before(true);
  ravel::ExploreOptions options = bodies::options_for(name);
  options.executions = 200;
  if (name == "large") options.max_steps = 5000;
  if (name == "changes_globals_by_fork") options.more_arguments = {"--no-resident"};
  for (const Scenario& scenario : kScenarios) {
    if (name == scenario.name) return ravel::explore(options, scenario.body);
  }
  std::fprintf(stderr, "no scenario %s\n", name.c_str());
  std::exit(2);
}

}  // namespace

int main(int count, char** words) {
  const ravel::ExploreResult result = explore_named(count > 1 ? words[1] : "");
  std::printf("%s\n", result.message.c_str());
  for (const ravel::ExploreFinding& finding : result.findings) {
    std::printf("kind %s schedule %s\n", finding.kind.c_str(), finding.schedule.c_str());
  }
  std::printf("passed %d complete %d partial %llu\n", result.passed, result.complete,
              static_cast<unsigned long long>(result.partial_orders));
  return result ? 0 : 1;
}
