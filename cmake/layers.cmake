# SPDX-License-Identifier: Apache-2.0
# The layer table: every folder of the product, on which side it runs, and what it may include.
#
# From this one table come the CMake targets (cmake/targets.cmake), their link order, and the file that
# tests/architecture reads to refuse a forbidden #include. docs/architecture.md explains the rows.
#
#   side   driver : compiled for the driver only
#          target : compiled with the ground rules of code inside the target only
#          both   : compiled twice, as ravel_<name> and ravel_<name>_target
#          shared : compiled for the driver; code inside the target may use its headers, which need no .cpp
#   uses   folders whose headers may be included, and everything those may include; itself always
#   links  libraries from outside the project whose headers it includes (driver side only; code inside the target gets
#          libc alone). Where Clang's libraries are not installed, layers that need them are left out of the build.

set(RAVEL_LAYERS
  # folder              | side   | uses                                                        | links
  "base                 | both   |                                                             | "
  "model                | both   | base                                                        | "
  "include/ravel        | both   | model                                                       | "
  "trace                | shared | model                                                       | "
  "strategies           | both   | include/ravel                                               | "
  "runtime/files        | target | trace                                                       | "
  "runtime/fibers       | target | base                                                        | "
  "runtime/memory       | target | model                                                       | "
  "runtime/recorder     | target | trace                                                       | "
  "runtime/noise        | target | runtime/memory trace                                        | "
  "runtime/resident     | target | runtime/fibers runtime/files                                | "
  "runtime/scheduler    | target | runtime/fibers runtime/memory runtime/recorder include/ravel | "
  "runtime/foreign_sync | target | include/ravel                                               | "
  "runtime/interpose    | target | runtime/scheduler runtime/noise runtime/resident runtime/foreign_sync | "
  "runtime/abi          | target | runtime/interpose strategies                                | "
  "runtime/call_trace   | target | trace                                                       | "
  "elf                  | driver |                                                             | elf"
  "reports              | driver | trace elf                                                   | fmt json elf"
  "driver/process       | driver | base                                                        | fmt"
  "driver/sources       | driver | driver/process                                              | fmt json"
  "driver/target        | driver | driver/process trace reports strategies                     | fmt"
  "driver/crash         | driver | driver/target                                               | fmt elf"
  "driver/findings      | driver | driver/target                                               | "
  "driver/replay        | driver | driver/findings                                             | fmt"
  "driver/campaign      | driver | driver/findings                                             | fmt"
  "driver/noise         | driver | driver/campaign driver/replay                               | fmt json"
  "driver/race_tests    | driver | driver/campaign driver/sources                              | fmt json"
  "driver/cases         | driver | driver/campaign                                             | fmt json"
  "driver/generate      | driver | driver/campaign                                             | fmt json"
  "driver/analyze       | driver | driver/sources                                              | fmt json"
  "driver/futures       | driver | driver/replay                                               | fmt json"
  "driver/pin           | driver | driver/race_tests driver/replay                             | fmt json"
  "driver/reproduce     | driver | driver/campaign driver/crash driver/pin                     | fmt json"
  "driver/cli           | driver | driver/noise driver/cases driver/generate driver/analyze driver/futures driver/pin driver/reproduce | fmt cli11"
  "analysis/points      | driver |                                                             | clang"
  "analysis/weave       | driver | analysis/points                                             | clang"
  "analysis/futures     | driver | analysis/points                                             | clang"
  "analysis/pairs       | driver | analysis/futures                                            | "
  "analysis/classes     | driver | analysis/points                                             | clang"
  "analysis/analyzer    | driver | analysis/weave analysis/pairs analysis/classes              | json"
)

# Layers whose own work is nothing compared to that of the programs they start: compiled quickly (cmake/flags.cmake).
set(RAVEL_QUICK_LAYERS driver/sources driver/crash driver/race_tests driver/cases driver/analyze driver/pin driver/reproduce driver/cli)
