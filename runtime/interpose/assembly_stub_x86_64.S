/* SPDX-License-Identifier: Apache-2.0 */
/* Where the copies of locked instructions begin (runtime/interpose/assembly). On the stack is the return address, above
   it the number of the site. Any register may be in use, vectors included, and other tasks may run meanwhile. */

        .text
        .globl  ravel_assembly_stub
        .hidden ravel_assembly_stub
        .type   ravel_assembly_stub, @function
ravel_assembly_stub:
        pushfq
        pushq   %rax
        pushq   %rcx
        pushq   %rdx
        pushq   %rsi
        pushq   %rdi
        pushq   %r8
        pushq   %r9
        pushq   %r10
        pushq   %r11
        pushq   %rbp
        movq    %rsp, %rbp
        cld
        subq    $2752, %rsp                     /* x87, SSE, AVX and AVX-512 in the standard form of xsave */
        andq    $-64, %rsp
        xorl    %eax, %eax                      /* the header must be zero where it is not written */
        movq    %rax, 512(%rsp)
        movq    %rax, 520(%rsp)
        movq    %rax, 528(%rsp)
        movq    %rax, 536(%rsp)
        movq    %rax, 544(%rsp)
        movq    %rax, 552(%rsp)
        movq    %rax, 560(%rsp)
        movq    %rax, 568(%rsp)
        movl    $0xe7, %eax
        xorl    %edx, %edx
        xsave64 (%rsp)
        movq    96(%rbp), %rdi
        call    ravel_note_assembly
        movl    $0xe7, %eax
        xorl    %edx, %edx
        xrstor64 (%rsp)
        movq    %rbp, %rsp
        popq    %rbp
        popq    %r11
        popq    %r10
        popq    %r9
        popq    %r8
        popq    %rdi
        popq    %rsi
        popq    %rdx
        popq    %rcx
        popq    %rax
        popfq
        ret
        .size   ravel_assembly_stub, .-ravel_assembly_stub

        .section .note.GNU-stack,"",@progbits
