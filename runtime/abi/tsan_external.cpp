// SPDX-License-Identifier: Apache-2.0
//
// tsan_interface.h: libraries that are not instrumented announce what their callers do to their objects. One logical
// access to the object is an access to its first byte.
#include "runtime/abi/export.h"
#include "runtime/interpose/memory_operations.h"
#include "runtime/interpose/points.h"

using ravel::OperationKind;

// The tag of a type is the place of its name: different for every type, and never null.
RAVEL_EXPORT void* __tsan_external_register_tag(const char* object_type) { return const_cast<char*>(object_type); }

// Tags only choose the words of TSan's own reports.
RAVEL_EXPORT void __tsan_external_register_header(void*, const char*) {}
RAVEL_EXPORT void __tsan_external_assign_tag(void*, void*) {}

RAVEL_EXPORT void __tsan_external_read(void* object, void* caller_pc, void*) {
  ravel::memory_access(ravel::address_of(object), 1, OperationKind::read, ravel::address_of(caller_pc));
}

RAVEL_EXPORT void __tsan_external_write(void* object, void* caller_pc, void*) {
  ravel::memory_access(ravel::address_of(object), 1, OperationKind::write, ravel::address_of(caller_pc));
}
