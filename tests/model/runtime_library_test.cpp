// SPDX-License-Identifier: Apache-2.0
#include "model/runtime_library.h"

#include <gtest/gtest.h>

namespace ravel {
namespace {

TEST(RuntimeLibraries, AreKnownByName) {
  for (const char* const name : {"libc.so.6", "libstdc++.so.6", "ld-linux-x86-64.so.2", "libtsan.so.2", "libm.so.6",
                                 "/usr/lib/x86_64-linux-gnu/libc.so.6"}) {
    EXPECT_TRUE(is_runtime_library(name)) << name;
  }
  for (const char* const name : {"libcurl.so.4", "libcrypto.so.3", "libmysqlclient.so.21", "libz.so.1"}) {
    EXPECT_FALSE(is_runtime_library(name)) << name;
  }
}

}  // namespace
}  // namespace ravel
