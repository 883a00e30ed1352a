// SPDX-License-Identifier: Apache-2.0
// What FunctionReader knows about the standard library and pthreads: which types and functions synchronise, and how.
// Only lists.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <initializer_list>

namespace ravel {

inline bool is_one_of(llvm::StringRef name, std::initializer_list<llvm::StringRef> names) {
  for (const llvm::StringRef other : names) {
    if (name == other) return true;
  }
  return false;
}

// Names of classes in std, without it.
inline bool is_mutex(llvm::StringRef name) {
  return is_one_of(
      name, {"mutex", "recursive_mutex", "timed_mutex", "recursive_timed_mutex", "shared_mutex", "shared_timed_mutex"});
}
inline bool is_guard(llvm::StringRef name) {
  return is_one_of(name, {"lock_guard", "unique_lock", "scoped_lock", "shared_lock"});
}
inline bool is_thread(llvm::StringRef name) { return is_one_of(name, {"thread", "jthread"}); }
inline bool is_future(llvm::StringRef name) { return is_one_of(name, {"future", "shared_future"}); }
inline bool is_semaphore(llvm::StringRef name) { return is_one_of(name, {"counting_semaphore", "binary_semaphore"}); }
inline bool is_counter(llvm::StringRef name) {  // has a count from its constructor
  return is_semaphore(name) || is_one_of(name, {"barrier", "latch"});
}
inline bool is_atomic(llvm::StringRef name) { return is_one_of(name, {"atomic", "atomic_flag"}); }
inline bool is_smart_pointer(llvm::StringRef name) { return is_one_of(name, {"unique_ptr", "shared_ptr"}); }

// Objects whose own state is not a shared variable of the program.
inline bool is_synchronisation(llvm::StringRef name) {
  return is_mutex(name) || is_guard(name) || is_thread(name) || is_future(name) || is_counter(name) ||
         is_one_of(name, {"condition_variable", "condition_variable_any", "once_flag", "promise", "stop_source",
                          "stop_token", "memory_order"});
}
inline bool is_c_synchronisation(llvm::StringRef name) {
  return is_one_of(name, {"pthread_mutex_t", "pthread_rwlock_t", "pthread_spinlock_t", "pthread_cond_t", "pthread_t",
                          "pthread_barrier_t", "pthread_once_t", "sem_t", "pthread_attr_t"});
}

// Container methods that only read, although they have non-const overloads.
inline bool only_looks(llvm::StringRef container, llvm::StringRef method) {
  if (method == "operator[]") return container != "map" && container != "unordered_map";
  return is_one_of(method, {"at",   "begin",       "end",         "rbegin", "rend",          "front",     "back",
                            "data", "find",        "size",        "empty",  "get",           "operator*", "operator->",
                            "top",  "lower_bound", "upper_bound", "value",  "operator bool", "count",     "c_str"});
}
// Methods whose result is a part of the object.
inline bool gives_element(llvm::StringRef method) {
  return is_one_of(method, {"operator[]", "at", "front", "back", "operator*", "operator->", "top", "value",
                            "emplace_back", "data", "begin", "end", "find"});
}

}  // namespace ravel
