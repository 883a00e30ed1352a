// SPDX-License-Identifier: Apache-2.0
// All race tests of this folder are in one program.
#include <ravel/race_test.h>

RAVEL_RACE_TEST_MAIN()
