// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/commands.h"

int main(int argc, char** argv) { return ravel::run_command_line(argc, argv); }
