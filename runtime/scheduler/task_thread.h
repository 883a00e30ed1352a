// SPDX-License-Identifier: Apache-2.0
// Is the calling OS thread a task? Threads that are not (parked donors, helpers of foreign libraries) must bypass the
// engine: it serves one running task at a time.
//
// The mark is thread-local and thus part of the identity (FS base) a task borrows: it follows the task from switch to
// switch with no work.
#pragma once

namespace ravel {

// initial-exec: the library is present at program start, and the access must not call into the loader.
extern constinit thread_local bool t_is_task __attribute__((tls_model("initial-exec")));

inline bool on_task_thread() { return t_is_task; }

// The first code a new identity runs.
inline void mark_task_thread() { t_is_task = true; }

// While it lives, intercepted calls made by this task go straight to libc: for the runtime's own use of functions that
// may call such symbols inside (the unwinder calls pthread_once).
class EngineBypass {
 public:
  EngineBypass() : before_(t_is_task) { t_is_task = false; }
  ~EngineBypass() { t_is_task = before_; }
  EngineBypass(const EngineBypass&) = delete;
  EngineBypass& operator=(const EngineBypass&) = delete;

 private:
  bool before_;
};

}  // namespace ravel
