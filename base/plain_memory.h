// SPDX-License-Identifier: Apache-2.0
//
// Force-included before every file of the runtime: the memory and string functions that code inside the target calls,
// or that the compiler calls for it, are our own plain ones. Functions of the usual names are interposed by
// runtime/abi/memory_functions.cpp, to see how the program uses them.
#pragma once

#if defined(RAVEL_IN_TARGET) && !defined(RAVEL_DEFINES_MEMORY_FUNCTIONS)
asm("memcpy = ravel_plain_memcpy");
asm("memmove = ravel_plain_memmove");
asm("memset = ravel_plain_memset");
asm("memcmp = ravel_plain_memcmp");
asm("bcmp = ravel_plain_memcmp");
asm("memchr = ravel_plain_memchr");
asm("strlen = ravel_plain_strlen");
asm("strcmp = ravel_plain_strcmp");
asm("strncmp = ravel_plain_strncmp");
asm("strchr = ravel_plain_strchr");
asm("strrchr = ravel_plain_strrchr");
#endif
