/* SPDX-License-Identifier: Apache-2.0 */
/* Switching stacks and identities on x86-64 (System V ABI). */

        .text

/* void ravel_fiber_switch(void** save_stack_pointer, void* stack_pointer, uint64_t fs_base)
   Saves the callee-saved state on the current stack, continues on another. The FS base is written after the new stack is
   in place; nothing between the two touches TLS. Rounding and exception-mask control words are callee-saved too. */
        .globl  ravel_fiber_switch
        .hidden ravel_fiber_switch
        .type   ravel_fiber_switch, @function
ravel_fiber_switch:
        .cfi_startproc
        pushq   %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        pushq   %rbx
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbx, 0
        pushq   %r12
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r12, 0
        pushq   %r13
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r13, 0
        pushq   %r14
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r14, 0
        pushq   %r15
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r15, 0
        subq    $8, %rsp
        .cfi_adjust_cfa_offset 8
        stmxcsr (%rsp)
        fnstcw  4(%rsp)
        movq    %rsp, (%rdi)
        movq    %rsi, %rsp
        wrfsbase %rdx
        ldmxcsr (%rsp)
        fldcw   4(%rsp)
        addq    $8, %rsp
        .cfi_adjust_cfa_offset -8
        popq    %r15
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r15
        popq    %r14
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r14
        popq    %r13
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r13
        popq    %r12
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r12
        popq    %rbx
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbx
        popq    %rbp
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbp
        ret
        .cfi_endproc
        .size   ravel_fiber_switch, .-ravel_fiber_switch

/* First instruction of a new fiber: entry in %rbx, argument in %r12 (placed there by the prepared stack).
   Unwinders stop here: the return address is undefined. */
        .globl  ravel_fiber_start
        .hidden ravel_fiber_start
        .type   ravel_fiber_start, @function
ravel_fiber_start:
        .cfi_startproc
        .cfi_undefined %rip
        movq    %r12, %rdi
        call    *%rbx
        ud2
        .cfi_endproc
        .size   ravel_fiber_start, .-ravel_fiber_start

/* void ravel_park(uint32_t* word): waits on a futex forever without touching the stack, which belongs to a fiber. */
        .globl  ravel_park
        .hidden ravel_park
        .type   ravel_park, @function
ravel_park:
        .cfi_startproc
        .cfi_undefined %rip
        movq    %rdi, %rbx
1:      movl    $202, %eax              /* SYS_futex */
        movq    %rbx, %rdi
        movl    $128, %esi              /* FUTEX_WAIT_PRIVATE */
        movl    $1, %edx                /* while the word is 1 */
        xorl    %r10d, %r10d
        syscall
        jmp     1b
        .cfi_endproc
        .size   ravel_park, .-ravel_park

        .section .note.GNU-stack,"",@progbits
