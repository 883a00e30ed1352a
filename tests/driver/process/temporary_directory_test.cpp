// SPDX-License-Identifier: Apache-2.0
#include "driver/process/temporary_directory.h"

#include <fstream>
#include <optional>

#include <gtest/gtest.h>

namespace ravel {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryDirectory, GoesWithWhatIsInIt) {
  std::optional<Result<TemporaryDirectory>> made = TemporaryDirectory::make("ravel-unit");
  ASSERT_TRUE(made->is_ok());
  const fs::path path = made->value().path();
  EXPECT_TRUE(path.filename().string().starts_with("ravel-unit-"));
  fs::create_directory(path / "inside");
  std::ofstream(path / "inside" / "file") << "text";
  EXPECT_TRUE(fs::exists(path / "inside" / "file"));
  made.reset();
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryDirectory, StaysWhileItsNewOwnerDoes) {
  auto made = TemporaryDirectory::make("ravel-unit");
  ASSERT_TRUE(made.is_ok());
  const TemporaryDirectory owner(std::move(made.value()));
  EXPECT_TRUE(made.value().path().empty());
  EXPECT_TRUE(fs::is_directory(owner.path()));
}

TEST(TemporaryDirectory, TroubleNamesTheParent) {
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/proc", 1);
  const auto made = TemporaryDirectory::make("ravel-unit");
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
  ASSERT_FALSE(made.is_ok());
  EXPECT_EQ(made.status().what(), "cannot make a directory in /proc");
}

}  // namespace
}  // namespace ravel
