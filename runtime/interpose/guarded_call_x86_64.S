/* SPDX-License-Identifier: Apache-2.0 */
/* A call through which an exception or pthread_exit may unwind, and which then tells us so. Code inside the target is
   built without exceptions and links no C++ library, so the frame has a personality routine of our own (see
   once_operations.cpp) instead of a landing pad. */

        .text

/* void ravel_guarded_call(void (*routine)(void)) */
        .globl  ravel_guarded_call
        .hidden ravel_guarded_call
        .type   ravel_guarded_call, @function
ravel_guarded_call:
        .cfi_startproc
        .cfi_personality 0x1b, ravel_guarded_call_personality
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        call    *%rdi
        popq    %rbp
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   ravel_guarded_call, .-ravel_guarded_call

        .section .note.GNU-stack,"",@progbits
