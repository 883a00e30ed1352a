// SPDX-License-Identifier: Apache-2.0
//
// The calls of -fsanitize-coverage, which a program built with -fsanitize=thread may have as well. libtsan defines
// them, so that such programs link; weak, as a fuzzer that is linked in brings its own. Ravel collects nothing with
// them.
#include <cstddef>
#include <cstdint>

#define RAVEL_COVERAGE(name, ...) \
  extern "C" __attribute__((visibility("default"), weak)) void __sanitizer_cov_##name(__VA_ARGS__) {}

RAVEL_COVERAGE(trace_pc)
RAVEL_COVERAGE(trace_pc_guard, std::uint32_t*)
RAVEL_COVERAGE(trace_pc_guard_init, std::uint32_t*, std::uint32_t*)
RAVEL_COVERAGE(trace_pc_indir, std::uintptr_t)
RAVEL_COVERAGE(trace_cmp, std::uint64_t, std::uint64_t, std::uint64_t)
RAVEL_COVERAGE(trace_cmp1, std::uint8_t, std::uint8_t)
RAVEL_COVERAGE(trace_cmp2, std::uint16_t, std::uint16_t)
RAVEL_COVERAGE(trace_cmp4, std::uint32_t, std::uint32_t)
RAVEL_COVERAGE(trace_cmp8, std::uint64_t, std::uint64_t)
RAVEL_COVERAGE(trace_const_cmp1, std::uint8_t, std::uint8_t)
RAVEL_COVERAGE(trace_const_cmp2, std::uint16_t, std::uint16_t)
RAVEL_COVERAGE(trace_const_cmp4, std::uint32_t, std::uint32_t)
RAVEL_COVERAGE(trace_const_cmp8, std::uint64_t, std::uint64_t)
RAVEL_COVERAGE(trace_switch, std::uint64_t, std::uint64_t*)
RAVEL_COVERAGE(trace_div4, std::uint32_t)
RAVEL_COVERAGE(trace_div8, std::uint64_t)
RAVEL_COVERAGE(trace_gep, std::uintptr_t)
RAVEL_COVERAGE(8bit_counters_init, char*, char*)
RAVEL_COVERAGE(bool_flag_init, bool*, bool*)
RAVEL_COVERAGE(pcs_init, const std::uintptr_t*, const std::uintptr_t*)
RAVEL_COVERAGE(load1, const void*)
RAVEL_COVERAGE(load2, const void*)
RAVEL_COVERAGE(load4, const void*)
RAVEL_COVERAGE(load8, const void*)
RAVEL_COVERAGE(load16, const void*)
RAVEL_COVERAGE(store1, void*)
RAVEL_COVERAGE(store2, void*)
RAVEL_COVERAGE(store4, void*)
RAVEL_COVERAGE(store8, void*)
RAVEL_COVERAGE(store16, void*)
RAVEL_COVERAGE(dump)
RAVEL_COVERAGE(reset)

extern "C" __attribute__((visibility("default"))) void __sanitizer_dump_coverage(const std::uintptr_t*,
                                                                                 std::uintptr_t) {}
extern "C" __attribute__((visibility("default"))) void __sanitizer_dump_trace_pc_guard_coverage() {}
