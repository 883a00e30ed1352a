// SPDX-License-Identifier: Apache-2.0
//
// tsan_interface.h: questions about the report TSan is writing, asked from __tsan_on_report. Findings are reported by
// the driver, after the execution, so that there is never a current report: all of them answer "none".
#include <cstddef>
#include <cstdint>

#include "runtime/abi/export.h"

RAVEL_EXPORT void* __tsan_get_current_report() { return nullptr; }

RAVEL_EXPORT int __tsan_get_report_data(void*, const char**, int*, int*, int*, int*, int*, int*, int*, void**,
                                        unsigned long) {
  return 0;
}

RAVEL_EXPORT int __tsan_get_report_tag(void*, std::uintptr_t*) { return 0; }

RAVEL_EXPORT int __tsan_get_report_stack(void*, unsigned long, void**, unsigned long) { return 0; }

RAVEL_EXPORT int __tsan_get_report_mop(void*, unsigned long, int*, void**, int*, int*, int*, void**, unsigned long) {
  return 0;
}

RAVEL_EXPORT int __tsan_get_report_loc(void*, unsigned long, const char**, void**, void**, unsigned long*, int*, int*,
                                       int*, void**, unsigned long) {
  return 0;
}

RAVEL_EXPORT int __tsan_get_report_loc_object_type(void*, unsigned long, const char**) { return 0; }

RAVEL_EXPORT int __tsan_get_report_mutex(void*, unsigned long, std::uint64_t*, void**, int*, void**, unsigned long) {
  return 0;
}

RAVEL_EXPORT int __tsan_get_report_thread(void*, unsigned long, int*, std::uint64_t*, int*, const char**, int*, void**,
                                          unsigned long) {
  return 0;
}

RAVEL_EXPORT int __tsan_get_report_unique_tid(void*, unsigned long, int*) { return 0; }

// What kind of memory an address is: nothing is known about it.
RAVEL_EXPORT const char* __tsan_locate_address(std::uintptr_t, char* name, std::size_t name_size,
                                               std::uintptr_t* region_address, std::size_t* region_size) {
  if (name != nullptr && name_size > 0) name[0] = 0;
  if (region_address != nullptr) *region_address = 0;
  if (region_size != nullptr) *region_size = 0;
  return "";
}

RAVEL_EXPORT int __tsan_get_alloc_stack(std::uintptr_t, std::uintptr_t*, std::size_t, int*, std::uint64_t*) {
  return 0;
}
