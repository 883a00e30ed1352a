/* SPDX-License-Identifier: Apache-2.0 */
#include "all_accesses.inc"

int main(void) { return touch_everything(); }
