// SPDX-License-Identifier: Apache-2.0
//
// sanitizer/common_interface_defs.h and allocator_interface.h: what all sanitizer runtimes offer besides their main
// job. Programs written for TSan may link against them.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <dlfcn.h>
#include <malloc.h>

#include "runtime/abi/export.h"
#include "runtime/abi/text_buffer.h"
#include "runtime/interpose/annotation_operations.h"
#include "runtime/interpose/memory_operations.h"
#include "runtime/interpose/points.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/resident/residence.h"

using ravel::OperationKind;
using ravel::TextBuffer;

namespace {

constinit char g_report_path[4096] = {};

// "0x401234 in function (module+0x1234)", as far as the dynamic symbols tell.
void describe_pc(TextBuffer& text, std::uint64_t pc) {
  Dl_info info{};
  text.hex(pc);
  if (dladdr(reinterpret_cast<void*>(pc), &info) == 0) return;
  if (info.dli_sname != nullptr) text.add(" in ").add(info.dli_sname);
  text.add(" (").add(info.dli_fname).add("+").hex(pc - reinterpret_cast<std::uint64_t>(info.dli_fbase)).add(")");
}

}  // namespace

// -- reports ----------------------------------------------------------------------------------------------------------

RAVEL_EXPORT void __sanitizer_set_report_path(const char* path) {
  TextBuffer(g_report_path, sizeof g_report_path).add(path == nullptr ? "" : path);
}
RAVEL_EXPORT const char* __sanitizer_get_report_path() { return g_report_path; }
// Findings go to the driver, not to a descriptor of the program; nor does the runtime ever end the program with a
// report.
RAVEL_EXPORT void __sanitizer_set_report_fd(void*) {}
RAVEL_EXPORT void __sanitizer_set_death_callback(void (*)()) {}
RAVEL_EXPORT void __sanitizer_sandbox_on_notify(void*) {}
RAVEL_EXPORT void __sanitizer_report_error_summary(const char*) {}

// True for the first caller: that one may write about the crash.
RAVEL_EXPORT int __sanitizer_acquire_crash_state() {
  static constinit int taken = 0;
  return __atomic_exchange_n(&taken, 1, __ATOMIC_SEQ_CST) == 0;
}

RAVEL_EXPORT void __sanitizer_print_stack_trace() {
  std::uint64_t frames[64];
  frames[0] = RAVEL_CALL_SITE;
  const std::uint32_t count = 1 + ravel::copy_shadow_stack(frames + 1, 63);
  for (std::uint32_t i = 0; i < count; ++i) {
    char line[512];
    TextBuffer text(line, sizeof line);
    text.add("    #").decimal(i).add(" ");
    describe_pc(text, frames[i]);
    text.add("\n");
    if (ravel::real().write(2, line, text.size()) < 0) return;
  }
}

RAVEL_EXPORT void __sanitizer_symbolize_pc(void* pc, const char*, char* out, std::size_t out_size) {
  TextBuffer text(out, out_size);
  describe_pc(text, ravel::address_of(pc));
}

RAVEL_EXPORT void __sanitizer_symbolize_global(void* data, const char*, char* out, std::size_t out_size) {
  TextBuffer text(out, out_size);
  describe_pc(text, ravel::address_of(data));
}

RAVEL_EXPORT int __sanitizer_get_module_and_offset_for_pc(void* pc, char* module, std::size_t module_size,
                                                          void** offset) {
  Dl_info info{};
  if (dladdr(pc, &info) == 0) return 0;
  TextBuffer(module, module_size).add(info.dli_fname);
  if (offset != nullptr) *offset = reinterpret_cast<void*>(ravel::address_of(pc) - ravel::address_of(info.dli_fbase));
  return 1;
}

// -- unaligned accesses -----------------------------------------------------------------------------------------------

#define RAVEL_UNALIGNED(bits)                                                                        \
  RAVEL_EXPORT std::uint##bits##_t __sanitizer_unaligned_load##bits(const void* place) {             \
    ravel::memory_access(ravel::address_of(place), bits / 8, OperationKind::read, RAVEL_CALL_SITE);  \
    std::uint##bits##_t value;                                                                       \
    std::memcpy(&value, place, sizeof value);                                                        \
    return value;                                                                                    \
  }                                                                                                  \
  RAVEL_EXPORT void __sanitizer_unaligned_store##bits(void* place, std::uint##bits##_t value) {      \
    ravel::memory_access(ravel::address_of(place), bits / 8, OperationKind::write, RAVEL_CALL_SITE); \
    std::memcpy(place, &value, sizeof value);                                                        \
  }

RAVEL_UNALIGNED(16)
RAVEL_UNALIGNED(32)
RAVEL_UNALIGNED(64)

// Not seen by the engine: code that calls these does not want to be seen.
RAVEL_EXPORT void* __sanitizer_internal_memcpy(void* to, const void* from, std::size_t bytes) {
  return std::memcpy(to, from, bytes);
}
RAVEL_EXPORT void* __sanitizer_internal_memmove(void* to, const void* from, std::size_t bytes) {
  return std::memmove(to, from, bytes);
}
RAVEL_EXPORT void* __sanitizer_internal_memset(void* start, int byte, std::size_t bytes) {
  return std::memset(start, byte, bytes);
}

// -- allocator: the system's, of which little is known ----------------------------------------------------------------

RAVEL_EXPORT std::size_t __sanitizer_get_estimated_allocated_size(std::size_t bytes) { return bytes; }
RAVEL_EXPORT int __sanitizer_get_ownership(const volatile void*) { return 0; }
RAVEL_EXPORT const void* __sanitizer_get_allocated_begin(const void*) { return nullptr; }
RAVEL_EXPORT std::size_t __sanitizer_get_allocated_size(const volatile void* start) {
  return ravel::real().malloc_usable_size(const_cast<void*>(start));
}
RAVEL_EXPORT std::size_t __sanitizer_get_allocated_size_fast(const volatile void* start) {
  return ravel::real().malloc_usable_size(const_cast<void*>(start));
}
RAVEL_EXPORT std::size_t __sanitizer_get_current_allocated_bytes() { return mallinfo2().uordblks; }
RAVEL_EXPORT std::size_t __sanitizer_get_heap_size() { return mallinfo2().arena; }
RAVEL_EXPORT std::size_t __sanitizer_get_free_bytes() { return mallinfo2().fordblks; }
RAVEL_EXPORT std::size_t __sanitizer_get_unmapped_bytes() { return 0; }
RAVEL_EXPORT void __sanitizer_purge_allocator() {
  ravel::cannot_be_put_back();
  ravel::real().malloc_trim(0);
}
// 0: not installed.
RAVEL_EXPORT int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*, std::size_t),
                                                           void (*)(const volatile void*)) {
  return 0;
}
