// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/explored_body.h"

#include <stdio.h>
#include <time.h>

#include "base/raw_syscall.h"
#include "runtime/files/raw_files.h"
#include "runtime/interpose/changed_globals.h"
#include "runtime/interpose/memory_fast_path.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/task_exit.h"
#include "runtime/interpose/thread_operations.h"
#include "runtime/scheduler/task_thread.h"

namespace ravel {
namespace {

constinit bool g_call_reached = false;

const LaunchOptions& launch() { return scheduler().channel().launch.options; }

// The user's problem, not a finding: the driver passes the sentence on.
[[noreturn]] void refuse(const char* sentence) {
  auto& misuse = scheduler().channel().result.misuse;
  snprintf(misuse, sizeof misuse, "%s", sentence);
  scheduler().stop();
}

// A thread that was joined may still be on its way out of the kernel.
bool is_only_thread() {
  constexpr int kAttempts = 50;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (thread_count() == 1) return true;
    timespec pause{0, 2'000'000};
    raw_syscall(SYS_nanosleep, reinterpret_cast<long>(&pause), 0);
  }
  return false;
}

}  // namespace

int thread_count() {
  char text[4096];
  if (raw_read_text("/proc/self/status", text, sizeof text) == 0) return 1;
  const char* at = __builtin_strstr(text, "Threads:");
  if (at == nullptr) return 1;
  int count = 0;
  for (at += 8; *at == ' ' || *at == '\t'; ++at) {
  }
  for (; *at >= '0' && *at <= '9'; ++at) count = count * 10 + (*at - '0');
  return count;
}

bool awaits_explore_call() { return runtime_active() && launch().explored_call != 0 && !g_call_reached; }

ExploreCall reach_explore_call(std::uint64_t test_case, std::uint32_t call) {
  if (free_running()) return ExploreCall::run_once;
  if (!runtime_active()) return ExploreCall::start_tool;
  const LaunchOptions& options = launch();
  if (options.explored_call == 0) return ExploreCall::run_once;
  refuse_in_explored_body("calls ravel::explore: one exploration cannot contain another");
  if (test_case != options.explored_case || call > options.explored_call) return ExploreCall::passed;
  if (call < options.explored_call) {
    const bool failed = call <= 64 && (options.explored_failed >> (call - 1) & 1) != 0;
    return failed ? ExploreCall::failed : ExploreCall::passed;
  }
  if (!is_only_thread()) {
    refuse("a thread that was started before ravel::explore still runs at the call, where Ravel does not control it");
  }
  mark_task_thread();
  g_call_reached = true;
  scheduler().take_control();
  return ExploreCall::run_body;
}

void end_explored_body(CallSite pc) {
  join_all_tasks(pc);
  reach_point(operation_on(OperationKind::program_exit, std::uint64_t{0}, pc));
  report_locks_left(scheduler().current());
  list_changed_globals(scheduler().channel());
  scheduler().stop(Outcome::ended);
}

void explored_assertion_failed(const char* message, CallSite pc) {
  if (!under_engine() || !g_call_reached) return;
  Operation operation = operation_on(OperationKind::program_exit, std::uint64_t{0}, pc);
  operation.task = scheduler().current().id;
  FindingRecord* const finding = scheduler().report(FindingKind::assertion, message, operation);
  if (finding != nullptr) finding->participant[0].held[0] = 0;  // what the framework holds while it reports
  scheduler().stop();
}

void leave_engine_until_call() {
  forget_fast_path();
  t_is_task = false;
}

void refuse_in_explored_body(const char* deed) {
  if (!g_call_reached || !under_engine()) return;
  char sentence[200];
  snprintf(sentence, sizeof sentence, "the body of ravel::explore %s", deed);
  refuse(sentence);
}

void check_control_begins_at_call() {
  if (awaits_explore_call()) refuse("the test waits for something that nobody can do before it calls ravel::explore");
}

}  // namespace ravel
