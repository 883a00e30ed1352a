// SPDX-License-Identifier: Apache-2.0
#include "reports/text_lines.h"

#include <gtest/gtest.h>

namespace ravel {
namespace {

TEST(TextLines, HaveNoEnds) {
  EXPECT_TRUE(lines_of("").empty());
  EXPECT_EQ(lines_of("a\n\r\n\nb\r\nc"), (std::vector<std::string_view>{"a", "", "", "b", "c"}));
  EXPECT_EQ(lines_of("a\n"), std::vector<std::string_view>{"a"});
}

}  // namespace
}  // namespace ravel
