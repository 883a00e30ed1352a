// SPDX-License-Identifier: Apache-2.0
// Sources of randomness, replaced by one seeded generator.
#include <cerrno>

#include "runtime/abi/export.h"
#include "runtime/interpose/random_operations.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"

using namespace ravel;

RAVEL_EXPORT ssize_t getrandom(void* buffer, size_t size, unsigned flags) {
  if (!under_engine()) return real().getrandom(buffer, size, flags);
  return fill_random(buffer, size);
}

RAVEL_EXPORT int getentropy(void* buffer, size_t size) {
  if (!under_engine()) return real().getentropy(buffer, size);
  if (size > 256) {
    errno = EIO;
    return -1;
  }
  fill_random(buffer, size);
  return 0;
}

RAVEL_EXPORT std::uint32_t arc4random() {
  if (!under_engine()) return real().arc4random();
  return random_word();
}

RAVEL_EXPORT void arc4random_buf(void* buffer, size_t size) {
  if (!under_engine()) return real().arc4random_buf(buffer, size);
  fill_random(buffer, size);
}

RAVEL_EXPORT std::uint32_t arc4random_uniform(std::uint32_t bound) {
  if (!under_engine()) return real().arc4random_uniform(bound);
  return bound < 2 ? 0 : static_cast<std::uint32_t>((std::uint64_t{random_word()} * bound) >> 32);
}

// std::random_device::operator(), in the two forms libstdc++ has. The device object itself is not looked at.
RAVEL_EXPORT unsigned _ZNSt13random_device9_M_getvalEv(void* device) {
  if (!under_engine()) return real()._ZNSt13random_device9_M_getvalEv(device);
  return random_word();
}

RAVEL_EXPORT unsigned _ZNSt13random_device16_M_getval_pretr1Ev(void* device) {
  if (!under_engine()) return real()._ZNSt13random_device16_M_getval_pretr1Ev(device);
  return random_word();
}
