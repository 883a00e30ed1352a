// SPDX-License-Identifier: Apache-2.0
//
// How a function becomes a symbol of libravel.so.
//
// The runtime is built with hidden visibility; only what carries this mark can be linked against by the program.
// Used by every file that implements a compiler, libc or annotation symbol.
#pragma once

#define RAVEL_EXPORT extern "C" __attribute__((visibility("default")))
