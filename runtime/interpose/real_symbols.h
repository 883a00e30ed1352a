// SPDX-License-Identifier: Apache-2.0
// The real functions behind the ones we interpose. Called by runtime/abi (pass-through) and runtime/interpose.
//
// Found by dlsym(RTLD_NEXT) at the first use, all at once: the fork server does it once for every execution. RTLD_NEXT
// is right both preloaded and linked in place of libtsan: libc and libstdc++ come after us either way. A function the
// system does not have is null; no program can call it, because none can link against it.
//
// Thread safety: the first use is at start-up, before any other thread exists; read-only afterwards.
#pragma once

#include <fcntl.h>
#include <grp.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#include <cstdint>
#include <type_traits>

namespace ravel {

struct RealSymbols {
  bool loaded;  // set last
#define RAVEL_REAL(name) decltype(&::name) name;
#define RAVEL_REAL_VERSION(name, version) decltype(&::name) name;
#define RAVEL_REAL_TYPED(name, type) std::add_pointer_t<std::remove_pointer_t<type>> name;
#include "runtime/interpose/real_symbols.def"
#undef RAVEL_REAL
#undef RAVEL_REAL_VERSION
#undef RAVEL_REAL_TYPED
};

namespace internal {
extern constinit RealSymbols g_real_symbols;
void load_real_symbols();
}  // namespace internal

inline const RealSymbols& real() {
  if (!internal::g_real_symbols.loaded) [[unlikely]]
    internal::load_real_symbols();
  return internal::g_real_symbols;
}

}  // namespace ravel
