// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/real_symbols.h"

#include <dlfcn.h>

namespace ravel::internal {

constinit RealSymbols g_real_symbols = {};

void load_real_symbols() {
  RealSymbols& symbols = g_real_symbols;
#define RAVEL_REAL(name) symbols.name = reinterpret_cast<decltype(symbols.name)>(dlsym(RTLD_NEXT, #name));
#define RAVEL_REAL_VERSION(name, version) \
  symbols.name = reinterpret_cast<decltype(symbols.name)>(dlvsym(RTLD_NEXT, #name, version));
#define RAVEL_REAL_TYPED(name, type) RAVEL_REAL(name)
#include "runtime/interpose/real_symbols.def"
#undef RAVEL_REAL
#undef RAVEL_REAL_VERSION
#undef RAVEL_REAL_TYPED
  symbols.loaded = true;
}

}  // namespace ravel::internal
