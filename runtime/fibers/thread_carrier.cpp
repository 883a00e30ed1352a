// SPDX-License-Identifier: Apache-2.0
// The thread carrier: every task is an OS thread, and a baton says whose turn it is. Slower by two orders of magnitude,
// but gdb, perf and the kernel see ordinary threads.
#include <linux/futex.h>

#include "runtime/fibers/carrier.h"
#include "runtime/fibers/real_threads.h"

namespace ravel {
namespace {

void wait_for_baton(CarrierContext& context) {
  while (__atomic_load_n(&context.baton, __ATOMIC_ACQUIRE) == 0) syscall_futex(&context.baton, FUTEX_WAIT_PRIVATE, 0);
  __atomic_store_n(&context.baton, 0, __ATOMIC_RELAXED);
}

void pass_baton(CarrierContext& context) {
  __atomic_store_n(&context.baton, 1, __ATOMIC_RELEASE);
  syscall_futex(&context.baton, FUTEX_WAKE_PRIVATE, 1);
}

class ThreadCarrier final : public Carrier {
 public:
  CarrierContext& adopt_main(IdentityHook hook) override {
    identity_hook_ = hook;
    main_.handle = pthread_self();
    read_memory_bounds(main_);
    if (hook != nullptr) hook();
    return main_;
  }

  void prepare(std::uint32_t) override {}  // OS threads do not survive the fork: made when tasks are created
  void after_fork() override {}

  CarrierContext* create(const pthread_attr_t* attributes, void (*entry)(void*), void* argument, int* error) override {
    CarrierContext* context = new_context();
    context->entry = entry;
    context->argument = argument;
    context->stack_is_programs = names_stack(attributes);
    context->signal_mask = signal_mask();
    *error = start_real_thread(&context->handle, attributes, &thread_main, context);
    if (*error != 0) return nullptr;
    while (__atomic_load_n(&context->parked, __ATOMIC_ACQUIRE) == 0) {
      syscall_futex(&context->parked, FUTEX_WAIT_PRIVATE, 0);
    }
    return context;
  }

  void switch_to(CarrierContext& from, CarrierContext& to) override {
    pass_baton(to);
    wait_for_baton(from);
  }

 private:
  static void* thread_main(void* argument);

  IdentityHook identity_hook_ = nullptr;
  CarrierContext main_;
};

// Every thread of the process uses it; what it holds is set before the first one is started.
constinit ThreadCarrier g_thread_carrier;

void* ThreadCarrier::thread_main(void* argument) {
  auto& context = *static_cast<CarrierContext*>(argument);
  read_memory_bounds(context);
  if (g_thread_carrier.identity_hook_ != nullptr) g_thread_carrier.identity_hook_();
  __atomic_store_n(&context.parked, 1, __ATOMIC_RELEASE);
  syscall_futex(&context.parked, FUTEX_WAKE_PRIVATE, 1);
  wait_for_baton(context);
  // Unlike a donor this thread runs program code, so signals sent to the process may be handled on it.
  // It starts with its creator's mask, as any thread does.
  set_signal_mask(context.signal_mask);
  context.entry(context.argument);
  __builtin_trap();  // entry never returns: a task ends by handing over for good
}

}  // namespace

Carrier& thread_carrier() { return g_thread_carrier; }

}  // namespace ravel
