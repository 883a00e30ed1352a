// SPDX-License-Identifier: Apache-2.0
// The fiber carrier: all tasks on one OS thread, each with the identity of a parked donor pthread. A task whose donor
// was prepared has a stack of its own (identity_memory.h); otherwise it runs on the donor's.
#include <linux/futex.h>

#include "runtime/fibers/carrier.h"
#include "runtime/fibers/identity_memory.h"
#include "runtime/fibers/real_threads.h"
#include "runtime/fibers/stack_switch.h"

extern "C" {
void ravel_fiber_switch(void** save_stack_pointer, void* stack_pointer, std::uint64_t fs_base);
[[noreturn]] void ravel_park(std::uint32_t* word);
}

namespace ravel {
namespace {

// Room between the donor's own frames (which are never returned to) and the fiber's first frame: the donor is still on
// them while it publishes its identity.
constexpr std::uint64_t kDonorFrameRoom = 1024;

class FiberCarrier final : public Carrier {
 public:
  CarrierContext& adopt_main(IdentityHook hook) override {
    identity_hook_ = hook;
    main_.fs_base = current_fs_base();
    main_.handle = pthread_self();
    read_memory_bounds(main_);
    if (hook != nullptr) hook();
    return main_;
  }

  void prepare(std::uint32_t count) override {
    IdentityMemory memory;
    if (count == 0 || !memory.reserve(count, default_stack_size())) return;  // each is made when it is needed
    for (std::uint32_t index = 0; index < count; ++index) {
      pthread_attr_t attributes;
      pthread_attr_init(&attributes);
      int error = pthread_attr_setstack(&attributes, memory.donor(index), memory.donor_bytes());
      CarrierContext* const context = error == 0 ? new_donor(&attributes, &error) : nullptr;
      pthread_attr_destroy(&attributes);
      if (context == nullptr) return;  // tasks will be refused when they are created, with the errno of that moment
      context->stack_low = memory.stack_low(index);
      context->stack_high = memory.stack_high(index);
      context->stack_pointer = reinterpret_cast<void*>(context->stack_high);
      unused_.push_back(*context);
    }
  }

  void after_fork() override {}

  CarrierContext* create(const pthread_attr_t* attributes, void (*entry)(void*), void* argument, int* error) override {
    CarrierContext* context = nullptr;
    if (!unused_.empty() && fits_default_stack(attributes)) {
      context = unused_.first();
      unused_.remove(*context);
    } else {
      context = new_donor(attributes, error);
      if (context != nullptr) context->made_late = true;
    }
    if (context == nullptr) return nullptr;
    context->entry = entry;
    context->argument = argument;
    context->stack_is_programs = names_stack(attributes);
    context->stack_pointer = first_frame(reinterpret_cast<std::uint64_t>(context->stack_pointer), entry, argument);
    return context;
  }

  void switch_to(CarrierContext& from, CarrierContext& to) override {
    ravel_fiber_switch(&from.stack_pointer, to.stack_pointer, to.fs_base);
  }

 private:
  CarrierContext* new_donor(const pthread_attr_t* attributes, int* error) {
    CarrierContext* context = new_context();
    *error = start_real_thread(&context->handle, attributes, &donor_main, context);
    if (*error != 0) return nullptr;
    while (__atomic_load_n(&context->parked, __ATOMIC_ACQUIRE) == 0) {
      syscall_futex(&context->parked, FUTEX_WAIT_PRIVATE, 0);
    }
    return context;
  }

  static void* donor_main(void* argument);

  IdentityHook identity_hook_ = nullptr;
  CarrierContext main_;
  IntrusiveList<CarrierContext, &CarrierContext::unused> unused_;  // oldest first
};

// Used only by the running task and by donors; the hook is set before the first donor is started.
constinit FiberCarrier g_fiber_carrier;

void* FiberCarrier::donor_main(void* argument) {
  auto& context = *static_cast<CarrierContext*>(argument);
  context.fs_base = current_fs_base();
  read_memory_bounds(context);
  if (g_fiber_carrier.identity_hook_ != nullptr) g_fiber_carrier.identity_hook_();
  context.stack_pointer = static_cast<char*>(__builtin_frame_address(0)) - kDonorFrameRoom;
  // The word is what the donor waits on afterwards, too: 1 means "published", and it stays 1.
  __atomic_store_n(&context.parked, 1, __ATOMIC_RELEASE);
  syscall_futex(&context.parked, FUTEX_WAKE_PRIVATE, 1);
  ravel_park(&context.parked);
}

}  // namespace

Carrier& fiber_carrier() { return g_fiber_carrier; }

}  // namespace ravel
