// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/unseen_code.h"

#include <elf.h>
#include <link.h>

#include <string_view>

#include "model/runtime_library.h"
#include "runtime/interpose/assembly.h"
#include "runtime/interpose/code_patches.h"
#include "runtime/interpose/instrumented_modules.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/sync_edges.h"
#include "runtime/memory/raw_pages.h"
#include "runtime/scheduler/scheduler.h"

// call_stub_x86_64.S
extern "C" void ravel_call_stub();

namespace ravel {

constinit bool g_has_unseen_code = false;
constinit HiddenOrder g_hidden_order;

namespace {

constexpr std::uint32_t kMostModules = 256;
constexpr std::uint32_t kMostStubs = 1U << 16;

// What a task passes: objects of HiddenOrder, and the one of them that is to be named.
struct Passed {
  std::uint64_t objects = 0;
  std::uint32_t name = 0;

  void operator|=(const Passed& other) {
    if (objects == 0) name = other.name;
    objects |= other.objects;
  }
};

struct CodeModule : LoadedModule {
  const char* path;
  bool loaded;
  bool instrumented;
  bool runtime;   // libc and its like
  bool examined;  // it has its bit, or its slots were redirected
  Passed passed;  // what going there passes: it, if it is such a library, and those it is linked with
};

// A call that leads into a library.
struct CallStub {
  std::uint64_t target;
  Passed passed;
};

// What start-up found; read by the running task.
struct UnseenCode {
  CodeModule module[kMostModules] = {};
  std::uint32_t modules = 0;
  std::uint64_t low = 0;  // all modules that have objects lie between
  std::uint64_t high = 0;
  std::uint32_t objects = 0;
  UnseenOrderRecord object[HiddenOrder::kMostObjects] = {};
  Passed at_end;  // of which only the end of a task is noticed
  CallStub* stub = nullptr;
  std::uint32_t stubs = 0;
  // A signal handler of the program may come back in here while clocks are being changed.
  bool changing = false;
};
constinit UnseenCode g_unseen;

// Where a task is, as far as unseen code is concerned. Part of the identity it borrows.
struct Whereabouts {
  // The latest call to a library: the return address, where it stands on the stack, and where it leads. As long as it
  // stands there, nothing has been called from that place since: the task is still inside.
  const std::uint64_t* slot = nullptr;
  std::uint64_t return_address = 0;
  Passed called;
  Passed returned_to;  // it has come back to these from a callback, and has entered no other since
};
constinit thread_local Whereabouts t_whereabouts __attribute__((tls_model("initial-exec"))) = {};

void pass(const Passed& passed) {
  if (passed.objects == 0 || g_unseen.changing || !tracks_order()) return;
  g_unseen.changing = true;
  g_hidden_order.pass(scheduler().current().id, passed.objects, passed.name);
  g_unseen.changing = false;
}

// -- what is there ----------------------------------------------------------------------------------------------------

const CodeModule* module_at(std::uint64_t pc) {
  const auto holds = [pc](const CodeModule& module) { return module.loaded && module.start <= pc && pc < module.end; };
  // The same one is asked for again and again.
  static constinit std::uint32_t latest = 0;
  if (latest < g_unseen.modules && holds(g_unseen.module[latest])) return &g_unseen.module[latest];
  for (std::uint32_t i = 0; i < g_unseen.modules; ++i) {
    if (!holds(g_unseen.module[i])) continue;
    latest = i;
    return &g_unseen.module[i];
  }
  return nullptr;
}

// What a task passes that is at `pc`.
Passed passed_at(std::uint64_t pc) {
  if (pc < g_unseen.low || pc >= g_unseen.high) return {};
  const CodeModule* const module = module_at(pc);
  return module == nullptr || module->runtime ? Passed{} : module->passed;
}

std::uint32_t add_object(UnseenOrder kind, std::uint64_t code) {
  // Beyond the last one they share it: less is told apart by name, nothing is forgotten.
  if (g_unseen.objects < HiddenOrder::kMostObjects) g_unseen.object[g_unseen.objects++] = {kind, 0, code};
  return g_unseen.objects - 1;
}

int add_module(dl_phdr_info* info, std::size_t, void*) {
  std::uint64_t low = ~std::uint64_t{0};
  std::uint64_t high = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    const std::uint64_t start = info->dlpi_addr + header.p_vaddr;
    low = start < low ? start : low;
    high = start + header.p_memsz > high ? start + header.p_memsz : high;
  }
  if (high == 0) return 0;
  for (std::uint32_t i = 0; i < g_unseen.modules; ++i) {
    CodeModule& known = g_unseen.module[i];
    if (known.start == low && known.end == high && known.header == info->dlpi_phdr) {
      known.loaded = true;
      return 0;
    }
  }
  if (g_unseen.modules == kMostModules) return 1;
  CodeModule& module = g_unseen.module[g_unseen.modules++];
  module.loaded = true;
  module.start = low;
  module.end = high;
  module.bias = info->dlpi_addr;
  module.header = info->dlpi_phdr;
  module.headers = info->dlpi_phnum;
  module.path = info->dlpi_name;
  module.runtime = is_runtime_library(module.path);
  return 0;
}

// The dynamic section of a module.
class Dynamic {
 public:
  explicit Dynamic(const CodeModule& module) : bias_(module.bias) {
    for (std::uint32_t i = 0; i < module.headers; ++i) {
      if (module.header[i].p_type != PT_DYNAMIC) continue;
      entries_ = reinterpret_cast<const ElfW(Dyn)*>(module.bias + module.header[i].p_vaddr);
    }
  }

  template <typename Visit>
  void for_each(std::int64_t tag, Visit visit) const {
    if (entries_ == nullptr) return;
    for (const ElfW(Dyn)* entry = entries_; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == tag) visit(entry->d_un.d_val);
    }
  }
  std::uint64_t value(std::int64_t tag) const {
    std::uint64_t found = 0;
    for_each(tag, [&](std::uint64_t value) { found = value; });
    return found;
  }
  // The loader has made addresses of most of them.
  std::uint64_t address(std::int64_t tag) const {
    const std::uint64_t found = value(tag);
    return found == 0 || found >= bias_ ? found : found + bias_;
  }

  // The relocations whose slots hold the addresses of functions and variables elsewhere.
  template <typename Visit>
  void for_each_slot(Visit visit) const {
    const auto table = [&](std::uint64_t start, std::uint64_t bytes) {
      const auto* relocation = reinterpret_cast<const ElfW(Rela)*>(start);
      for (std::uint64_t i = 0; start != 0 && i < bytes / sizeof *relocation; ++i) {
        const std::uint64_t type = ELF64_R_TYPE(relocation[i].r_info);
        if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) continue;
        visit(reinterpret_cast<std::uint64_t*>(bias_ + relocation[i].r_offset), type);
      }
    };
    if (value(DT_PLTREL) == DT_RELA) table(address(DT_JMPREL), value(DT_PLTRELSZ));
    table(address(DT_RELA), value(DT_RELASZ));
  }

 private:
  std::uint64_t bias_;
  const ElfW(Dyn) * entries_ = nullptr;
};

// Bits of the libraries it is linked with are its own, too.
bool take_over_needed(CodeModule& module) {
  const Dynamic dynamic(module);
  const auto* const names = reinterpret_cast<const char*>(dynamic.address(DT_STRTAB));
  if (names == nullptr) return false;
  const std::uint64_t before = module.passed.objects;
  dynamic.for_each(DT_NEEDED, [&](std::uint64_t name) {
    const std::string_view needed = file_name(names + name);
    for (std::uint32_t i = 0; i < g_unseen.modules; ++i) {
      const CodeModule& other = g_unseen.module[i];
      if (other.loaded && !other.runtime && file_name(other.path) == needed) module.passed |= other.passed;
    }
  });
  return module.passed.objects != before;
}

// -- noticing calls ---------------------------------------------------------------------------------------------------

// The stubs of a module are near it, so that its instructions reach them. Each is
//   push NUMBER; jmp *ravel_call_stub
// followed by that address. Returns code that notes a call to `target` and makes it; nullptr when there is no room.
std::uint8_t* stub_for(std::uint64_t target, const Passed& passed, NearMemory& memory) {
  constexpr std::uint64_t kCode = 16;
  std::uint8_t* const code = g_unseen.stubs == kMostStubs ? nullptr : memory.take(kCode + 8);
  if (code == nullptr) return nullptr;
  const std::uint32_t number = g_unseen.stubs++;
  g_unseen.stub[number] = {target, passed};
  put_address(code + kCode, reinterpret_cast<const void*>(&ravel_call_stub));
  code[0] = 0x68;
  put_number(code + 1, number);
  code[5] = 0xff;
  code[6] = 0x25;
  put_distance(code + 7, code + kCode);
  return code;
}

// Calls through a slot that also holds the address of the function as a value: the slot stays as it is, for functions
// are compared by their address. The instructions that call or jump through it are given a slot of their own.
void redirect_instructions(const LoadedModule& module, OpenTable<std::uint64_t>& slots, NearMemory& memory) {
  module.for_each_code([&](std::uint8_t* start, const std::uint8_t* end) {
    for (std::uint8_t* at = start; at + 6 <= end; ++at) {
      if (at[0] != 0xff || (at[1] != 0x25 && at[1] != 0x15)) continue;
      const auto* const found = slots.find(reinterpret_cast<std::uint64_t>(read_distance(at + 2)));
      std::uint8_t* const slot = found == nullptr ? nullptr : memory.take(sizeof(void*));
      if (slot == nullptr) continue;
      put_address(slot, reinterpret_cast<const void*>(found->value));
      if (const Writable code(module, at, 6); code) put_distance(at + 2, slot);
    }
  });
}

void notice_calls_of(const CodeModule& module) {
  NearMemory memory(module);
  OpenTable<std::uint64_t> also_values;  // stub by slot
  Dynamic(module).for_each_slot([&](std::uint64_t* slot, std::uint64_t type) {
    const Passed passed = passed_at(*slot);
    if (passed.objects == 0) return;
    const auto stub = reinterpret_cast<std::uint64_t>(stub_for(*slot, passed, memory));
    if (stub == 0) return;
    if (type == R_X86_64_GLOB_DAT) {
      also_values.find_or_add(reinterpret_cast<std::uint64_t>(slot)).value = stub;
      return;
    }
    if (const Writable page(module, slot, sizeof *slot); page) *slot = stub;
  });
  if (also_values.size() != 0) redirect_instructions(module, also_values, memory);
  also_values.clear();
}

}  // namespace

void find_unseen_code() {
  const LaunchOptions& options = scheduler().channel().launch.options;
  if (!options.finds_races() && options.memory_model != MemoryModel::c11) return;
  for (std::uint32_t i = 0; i < g_unseen.modules; ++i) g_unseen.module[i].loaded = false;
  dl_iterate_phdr(&add_module, nullptr);
  bool instrumented = false;
  for (std::uint32_t i = 0; i < g_unseen.modules; ++i) {
    CodeModule& module = g_unseen.module[i];
    module.instrumented = module.instrumented || is_instrumented(module.start);
    instrumented = instrumented || module.instrumented;
  }
  if (!instrumented) return;
  for (std::uint32_t i = 0; i < g_unseen.modules; ++i) {
    CodeModule& module = g_unseen.module[i];
    if (!module.loaded) continue;
    const bool ends_tasks = file_name(module.path).starts_with("libstdc++.so");
    if (module.examined || module.instrumented || (module.runtime && !ends_tasks)) continue;
    module.examined = true;
    const std::uint32_t object = add_object(UnseenOrder::library, module.start);
    module.passed = {std::uint64_t{1} << object, object};
    if (ends_tasks) {
      g_unseen.at_end = module.passed;
      continue;
    }
    g_has_unseen_code = true;
  }
  if (g_unseen.stub == nullptr) {
    g_unseen.stub = static_cast<CallStub*>(reserve_pages(kMostStubs * sizeof(CallStub)));
    if (g_unseen.stub == nullptr) return;
  }
  for (bool more = true; more;) {
    more = false;
    for (std::uint32_t i = 0; i < g_unseen.modules; ++i) {
      CodeModule& module = g_unseen.module[i];
      if (module.loaded && !module.instrumented && !module.runtime && take_over_needed(module)) more = true;
    }
  }
  for (std::uint32_t i = 0; i < g_unseen.modules; ++i) {
    const CodeModule& module = g_unseen.module[i];
    if (module.passed.objects == 0 || module.runtime) continue;
    if (g_unseen.low == 0 || module.start < g_unseen.low) g_unseen.low = module.start;
    if (module.end > g_unseen.high) g_unseen.high = module.end;
  }
  for (std::uint32_t i = 0; i < g_unseen.modules; ++i) {
    CodeModule& module = g_unseen.module[i];
    if (!module.loaded || !module.instrumented || module.examined) continue;
    module.examined = true;
    notice_calls_of(module);
    notice_assembly_of(module);
  }
}

std::uint32_t object_of_assembly(std::uint64_t instruction) { return add_object(UnseenOrder::assembly, instruction); }

void passes_assembly(std::uint32_t object) {
  if (g_unseen.changing || !tracks_order()) return;
  g_unseen.changing = true;
  g_hidden_order.pass_instruction(scheduler().current().id, object);
  g_unseen.changing = false;
}

void entered_from(std::uint64_t pc) {
  t_whereabouts.returned_to = {};
  pass(passed_at(pc));
}

void returns_to(std::uint64_t pc) {
  const Passed passed = passed_at(pc);
  if (passed.objects == 0) return;
  t_whereabouts.returned_to = passed;
  pass(passed);
}

void others_ran_during_call_from(std::uint64_t pc) {
  if (is_instrumented(pc)) return;
  const Whereabouts& here = t_whereabouts;
  Passed passed = passed_at(pc);
  // Not far away: a stack that the program has made and given back must not be looked at.
  constexpr std::uint64_t kNear = 256 * 1024;
  const std::uint64_t depth =
      reinterpret_cast<std::uint64_t>(here.slot) - reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  if (depth < kNear && *here.slot == here.return_address) passed |= here.called;
  passed |= here.returned_to;
  pass(passed);
}

void runs_at_end(std::uint64_t handler) {
  const CodeModule* const module = module_at(handler);
  if (module != nullptr && !module->instrumented) pass(module->passed);
}

void looks_at_unknown_store(bool changed) {
  if (g_unseen.changing || !tracks_order()) return;
  if (!changed && !g_hidden_order.used()) return;
  g_unseen.changing = true;
  const TaskId task = scheduler().current().id;
  if (changed) {
    g_hidden_order.learn_everything(task);
  } else {
    g_hidden_order.acquire(task, g_unseen.at_end.objects, g_unseen.at_end.name);
  }
  g_unseen.changing = false;
}

std::uint32_t may_know_there(std::uint64_t pc, Epoch earlier) {
  if (!has_unseen_code() || earlier.clock() >= happens_before().now(earlier.task()).clock()) return HiddenOrder::kNone;
  if (const Passed here = passed_at(pc); here.objects != 0) return here.name;
  const ShadowStack& calls = scheduler().current().shadow;
  for (std::uint32_t depth = calls.depth < ShadowStack::kDepth ? calls.depth : ShadowStack::kDepth; depth > 0;
       --depth) {
    if (const Passed caller = passed_at(calls.frames[depth - 1]); caller.objects != 0) return caller.name;
  }
  return HiddenOrder::kNone;
}

void describe_unseen(std::uint32_t object, UnseenOrderRecord& record) {
  record = object < g_unseen.objects ? g_unseen.object[object] : UnseenOrderRecord{UnseenOrder::write, 0, 0};
}

// From ravel_call_stub: a call to a library was made, through the stub with this number; its return address stands at
// `slot`. Returns where the call leads.
extern "C" __attribute__((visibility("hidden"))) std::uint64_t ravel_note_call(std::uint64_t number,
                                                                               const std::uint64_t* slot) {
  const CallStub stub = g_unseen.stub[number];
  if (under_engine() && scheduler().controlled()) {
    t_whereabouts = {slot, *slot, stub.passed, {}};
    pass(stub.passed);
  }
  return stub.target;
}

}  // namespace ravel
