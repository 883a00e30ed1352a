// SPDX-License-Identifier: Apache-2.0
// Start-up wiring: finds the driver's channel, connects scheduler, carrier, strategies and primitives, wraps main.
// The only constructor of the runtime is here. Without a driver everything stays passive: a plain pass-through.
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/check.h"
#include "runtime/abi/crash_handlers.h"
#include "runtime/abi/export.h"
#include "runtime/abi/fork_server.h"
#include "runtime/abi/heap_new.h"
#include "runtime/files/raw_files.h"
#include "runtime/interpose/annotation_operations.h"
#include "runtime/interpose/explored_body.h"
#include "runtime/interpose/file_changes.h"
#include "runtime/interpose/free_running.h"
#include "runtime/interpose/hooks.h"
#include "runtime/interpose/lock_order.h"
#include "runtime/interpose/module_table.h"
#include "runtime/interpose/object_lives.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/signal_operations.h"
#include "runtime/interpose/sync_point_operations.h"
#include "runtime/interpose/timer_operations.h"
#include "runtime/interpose/unseen_code.h"
#include "runtime/resident/residence.h"
#include "runtime/scheduler/scheduler.h"
#include "strategies/registry.h"

namespace ravel {
namespace {

using MainFunction = int (*)(int, char**, char**);

// What start-up finds and later steps need. Set before main, on the only thread.
struct Startup {
  int control_socket = -1;
  Carrier* carrier = nullptr;
  MainFunction main = nullptr;  // the program's
};
constinit Startup g_startup;

// Called by the scheduler when the program is about to have a second task, or at its call of ravel::explore.
void begin_control() {
  check_control_begins_at_call();
  Channel& channel = scheduler().channel();
  write_modules(channel);
  find_unseen_code();
  adopt_signal_mask();
  adopt_timers();
  prepare_object_lives();
  prepare_lock_order();
  find_operators();
  serve_executions(channel, g_startup.control_socket, *g_startup.carrier);
  scheduler().begin_execution(chooser_for(channel.request.plan));
  tell_labels();
}

// Removes what the driver put first into a colon-separated variable, so that programs started by this one are left
// alone.
void remove_first_entry(const char* variable, const char* expected_end) {
  const char* value = getenv(variable);
  if (value == nullptr) return;
  const char* colon = strchr(value, ':');
  const std::size_t length = colon == nullptr ? strlen(value) : static_cast<std::size_t>(colon - value);
  const std::size_t tail = strlen(expected_end);
  if (length < tail || strncmp(value + length - tail, expected_end, tail) != 0) return;
  if (colon == nullptr || colon[1] == '\0') {
    unsetenv(variable);
  } else {
    setenv(variable, colon + 1, 1);
  }
}

void clean_environment() {
  unsetenv(kChannelVariable);
  unsetenv("LD_BIND_NOW");
  remove_first_entry("LD_PRELOAD", "/libravel.so");
  Dl_info self{};
  if (dladdr(reinterpret_cast<void*>(&clean_environment), &self) != 0 && self.dli_fname != nullptr) {
    char directory[4096];
    snprintf(directory, sizeof directory, "%s", self.dli_fname);
    char* slash = strrchr(directory, '/');
    if (slash != nullptr) {
      *slash = '\0';
      remove_first_entry("LD_LIBRARY_PATH", directory);
    }
  }
}

void on_check_failed(const char* file, int line, const char*, const char* message) {
  scheduler().note_internal_error(file, line, message);
}

Channel* map_channel(const char* variable, int* socket) {
  char* end = nullptr;
  const long memory = strtol(variable, &end, 10);
  if (*end != ',') return nullptr;
  *socket = static_cast<int>(strtol(end + 1, nullptr, 10));
  void* mapped = real().mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_SHARED, static_cast<int>(memory), 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* channel = static_cast<Channel*>(mapped);
  if (channel->magic != kChannelMagic || channel->bytes != sizeof(Channel)) return nullptr;
  raw_fcntl(static_cast<int>(memory), F_SETFD, FD_CLOEXEC);
  raw_fcntl(*socket, F_SETFD, FD_CLOEXEC);
  return channel;
}

// Registered before libc registers the destructors of libraries, so this runs after them: what is left of exit(3) is to
// write out what streams hold, and to end.
void program_exits(int exit_code, void*) {
  if (!is_resident()) return;
  fcloseall();
  end_execution(exit_code);
}

__attribute__((constructor(101))) void start_runtime() {
  read_running_race_test();
  const char* variable = getenv(kChannelVariable);
  if (variable == nullptr) return;
  Channel* channel = map_channel(variable, &g_startup.control_socket);
  RAVEL_CHECK(channel != nullptr, "the driver and libravel.so are not from the same build");
  clean_environment();
  real();  // looking them up may allocate, which must not be noticed
  set_check_handler(&on_check_failed);
  if (channel->launch.options.carrier == CarrierKind::free) {
    write_modules(*channel);
    serve_free_run(*channel, g_startup.control_socket);
    prepare_free_threads();
    begin_free_run(*channel);
    g_mode = RuntimeMode::free;
    return;
  }
  mallopt(M_ARENA_MAX, 1);  // one arena: the same addresses for every carrier, and none to be set up per task
  g_startup.carrier = channel->launch.options.carrier == CarrierKind::fiber ? &fiber_carrier() : &thread_carrier();
  SchedulerHooks hooks = primitive_hooks();
  hooks.begin_control = &begin_control;
  scheduler().start(*channel, *g_startup.carrier, hooks, &mark_task_thread);
  install_crash_handlers();
  on_exit(&program_exits, nullptr);
  write_modules(*channel);  // for what happens before the first task; written again when control begins
  start_files(*channel);
  g_mode = RuntimeMode::active;
}

struct MainCall {
  MainFunction function;
  int argc;
  char** argv;
  char** environment;
  int result;
  bool returned;
};

void* call_main(void* argument) {
  auto& call = *static_cast<MainCall*>(argument);
  call.result = call.function(call.argc, call.argv, call.environment);
  call.returned = true;
  return nullptr;
}

// main as T0's body, so that pthread_exit in main ends the task and not the process.
int main_as_task(int argc, char** argv, char** environment) {
  if (!under_engine()) return g_startup.main(argc, argv, environment);
  install_terminate_handler();
  MainCall call{g_startup.main, argc, argv, environment, 0, false};
  Task& task = scheduler().current();
  task.body = &call_main;
  task.argument = &call;
  scheduler().run_body(task);
  if (!call.returned) {
    run_task_exit_handlers(task);
    scheduler().end_current();
  }
  main_returned(task);
  return call.result;
}

}  // namespace
}  // namespace ravel

RAVEL_EXPORT int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                                   void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  using Start = int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto real = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  ravel::g_startup.main = main;
  return real(&ravel::main_as_task, argc, argv, init, fini, rtld_fini, stack_end);
}
