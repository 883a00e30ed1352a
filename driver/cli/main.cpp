// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/commands.h"

#include "driver/sources/build_capture.h"

int main(int argc, char** argv) {
  if (ravel::is_captured_compiler(argc, argv)) return ravel::become_compiler(argc, argv);
  return ravel::run_command_line(argc, argv);
}
