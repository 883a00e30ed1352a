// SPDX-License-Identifier: Apache-2.0
// The slow part of Catch2, compiled once.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
