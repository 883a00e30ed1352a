// SPDX-License-Identifier: Apache-2.0
// Answers of ravel-analyzer, and what the user says about a class.
#include "driver/reproduce/class_listing.h"

#include <gtest/gtest.h>

#include <fstream>

#include "driver/process/temporary_directory.h"
#include "driver/reproduce/class_options.h"

namespace ravel {
namespace {

TEST(ClassListing, IsReadFromTheAnswer) {
  const auto listing = parse_listing(
      R"json({"ok": true, "class": "app::Box", "declarations": "",
          "operations": [{"kind": "constructor", "name": "app::Box::Box", "call": "app::Box", "signature": "Box()",
                          "pools": [], "const": false},
                         {"kind": "method", "name": "app::Box::put", "call": "put", "signature": "put(int)",
                          "pools": [0], "const": false}],
          "pools": [{"type": "int", "values": ["1", "0"]}], "slots": [],
          "left_out": [{"signature": "odd(T)", "reason": "it is a template"}]})json");
  ASSERT_TRUE(listing.is_ok()) << listing.status().what();
  ASSERT_EQ(listing.value().operations.size(), 2U);
  EXPECT_TRUE(listing.value().operations[0].makes_object());
  EXPECT_EQ(listing.value().operations[1].method(), "put");
  EXPECT_EQ(listing.value().pools[0].values, (std::vector<std::string>{"1", "0"}));
  EXPECT_EQ(listing.value().left_out[0].reason, "it is a template");
}

TEST(ClassListing, MayBeRefused) {
  const auto refused =
      parse_listing(R"({"ok": false, "errors": [{"message": "there is no class Box", "hint": "look"}]})");
  EXPECT_EQ(refused.status().what(), "there is no class Box");
  EXPECT_FALSE(parse_listing("nothing").is_ok());
}

TEST(ClassOptions, ReadValuesByType) {
  const auto directory = TemporaryDirectory::make("ravel-values");
  const std::string path = (directory.value().path() / "values.txt").string();
  std::ofstream(path) << "# logins\nstd::string = \"user=admin\"\n\nint = 42\nint = 7\n";
  const auto values = read_values(path);
  ASSERT_TRUE(values.is_ok());
  EXPECT_EQ(values.value().at("std::string"), (std::vector<std::string>{"\"user=admin\""}));
  EXPECT_EQ(values.value().at("int"), (std::vector<std::string>{"42", "7"}));
  std::ofstream(path) << "int 42\n";
  EXPECT_NE(read_values(path).status().what().find(":1: 'int 42' is not TYPE = EXPRESSION"), std::string::npos);
}

TEST(ClassOptions, ComeFromTheCommandOfTheSource) {
  const CompileCommands known(
      {{"/build", "/src/other.cpp", {"g++", "-DOTHER", "-c", "/src/other.cpp"}},
       {"/build",
        "/src/box.cpp",
        {"ccache", "g++", "-O2", "-DBOX=1", "-I", "/inc", "-c", "/src/box.cpp", "-o", "box.o"}}});
  BuildPlan plan;
  plan.headers = {"/src/box.h"};
  plan.sources = {"/src/box.cpp"};
  ASSERT_TRUE(find_class_options({}, &known, "", plan).is_ok());
  EXPECT_EQ(plan.compiler, (std::vector<std::string>{"ccache", "g++"}));
  EXPECT_EQ(plan.options, (std::vector<std::string>{"-DBOX=1", "-I", "/inc"}));
  EXPECT_EQ(plan.directory, "/build");
  ASSERT_TRUE(find_class_options({"-std=c++17"}, &known, "", plan).is_ok());
  EXPECT_EQ(plan.options, (std::vector<std::string>{"-std=c++17"}));
}

}  // namespace
}  // namespace ravel
