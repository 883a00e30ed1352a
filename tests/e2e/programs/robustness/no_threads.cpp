// SPDX-License-Identifier: Apache-2.0
// Never creates a thread.
#include <cstdio>

int main() { std::puts("alone"); }
