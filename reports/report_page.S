/* SPDX-License-Identifier: Apache-2.0 */
/* The page of html_report.cpp: report_page.html, built from web/ (web/README.md). */

        .section .rodata
        .globl  ravel_report_page
        .hidden ravel_report_page
        .type   ravel_report_page, @object
ravel_report_page:
        .incbin RAVEL_REPORT_PAGE
        .size   ravel_report_page, . - ravel_report_page
        .globl  ravel_report_page_end
        .hidden ravel_report_page_end
        .type   ravel_report_page_end, @object
ravel_report_page_end:
        .byte   0
        .size   ravel_report_page_end, 1
        .section .note.GNU-stack, "", @progbits
