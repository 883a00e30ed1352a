/* SPDX-License-Identifier: Apache-2.0 */
/* Where the stubs of runtime/interpose/unseen_code lead. A call to a library has been made; on the stack is the number
   of the stub, above it the return address. Notes the call, and jumps to the function with every argument as it was.
   Arguments are in integer and vector registers, their number in %rax, the static chain in %r10. The runtime is compiled
   for any x86-64: it leaves the upper halves of vector registers alone. */

        .text
        .globl  ravel_call_stub
        .hidden ravel_call_stub
        .type   ravel_call_stub, @function
ravel_call_stub:
        .cfi_startproc
        .cfi_def_cfa_offset 16
        subq    $192, %rsp
        .cfi_adjust_cfa_offset 192
        movq    %rax, (%rsp)
        movq    %rdi, 8(%rsp)
        movq    %rsi, 16(%rsp)
        movq    %rdx, 24(%rsp)
        movq    %rcx, 32(%rsp)
        movq    %r8, 40(%rsp)
        movq    %r9, 48(%rsp)
        movq    %r10, 56(%rsp)
        movups  %xmm0, 64(%rsp)
        movups  %xmm1, 80(%rsp)
        movups  %xmm2, 96(%rsp)
        movups  %xmm3, 112(%rsp)
        movups  %xmm4, 128(%rsp)
        movups  %xmm5, 144(%rsp)
        movups  %xmm6, 160(%rsp)
        movups  %xmm7, 176(%rsp)
        movq    192(%rsp), %rdi
        leaq    200(%rsp), %rsi
        call    ravel_note_call
        movq    %rax, %r11
        movups  176(%rsp), %xmm7
        movups  160(%rsp), %xmm6
        movups  144(%rsp), %xmm5
        movups  128(%rsp), %xmm4
        movups  112(%rsp), %xmm3
        movups  96(%rsp), %xmm2
        movups  80(%rsp), %xmm1
        movups  64(%rsp), %xmm0
        movq    56(%rsp), %r10
        movq    48(%rsp), %r9
        movq    40(%rsp), %r8
        movq    32(%rsp), %rcx
        movq    24(%rsp), %rdx
        movq    16(%rsp), %rsi
        movq    8(%rsp), %rdi
        movq    (%rsp), %rax
        addq    $200, %rsp
        .cfi_adjust_cfa_offset -200
        jmpq    *%r11
        .cfi_endproc
        .size   ravel_call_stub, .-ravel_call_stub

        .section .note.GNU-stack,"",@progbits
