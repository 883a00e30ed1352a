// SPDX-License-Identifier: Apache-2.0
// The texts that come out: the harness and the test.
#include "driver/reproduce/test_writer.h"

#include <gtest/gtest.h>

#include "driver/reproduce/harness_build.h"
#include "driver/reproduce/harness_writer.h"
#include "tests/driver/reproduce/sample_listing.h"

namespace ravel {
namespace {

TestCandidate sample_test() { return {{{0, {0}}, {3, {1}}}, {{{2, {1}}}, {{3, {2}}}}}; }

TEST(TestWriter, WritesWhatAPersonWould) {
  TestText text;
  text.includes = include_lines({"logger.h"}, false);
  text.comments = {"Reproduces a crash."};
  EXPECT_EQ(write_test(testing::sample_listing(), sample_test(), text),
            "// Reproduces a crash.\n"
            "#include \"logger.h\"\n"
            "\n"
            "#include <limits>\n"
            "#include <memory>\n"
            "#include <sstream>\n"
            "#include <thread>\n"
            "#include <vector>\n"
            "\n"
            "struct FilterFalse : app::Filter {\n"
            "  bool passes() const override { return false; }\n"
            "};\n"
            "\n"
            "int main() {\n"
            "  auto filter2 = FilterFalse();\n"
            "  app::Logger logger(\"a\");\n"
            "  logger.set_filter(&filter2);\n"
            "  std::thread thread1([&] { logger.info(\"\"); });  // the crashing method\n"
            "  std::thread thread2([&] { logger.set_filter(nullptr); });\n"
            "  thread1.join();\n"
            "  thread2.join();\n"
            "}\n");
}

TEST(TestWriter, WritesACaseOfGoogleTest) {
  TestText text;
  text.includes = include_lines({"logger.h"}, false);
  text.googletest = true;
  const std::string written = write_test(testing::sample_listing(), sample_test(), text);
  EXPECT_NE(written.find("#include <gtest/gtest.h>\n#include <ravel/explore.h>\n"), std::string::npos);
  EXPECT_NE(written.find("RAVEL_TEST(Reproduced, Crash) {\n"), std::string::npos);
}

TEST(TestWriter, CountsCallsAndObjects) {
  EXPECT_EQ(test_size(testing::sample_listing(), sample_test()), 5U);  // 2, 2, and the filter
}

TEST(TestWriter, MakesObjectsByTheirFactories) {
  const ClassListing listing = testing::sample_listing();
  EXPECT_EQ(call_text(listing, {1, {}}), "app::Logger& logger = *app::Logger::make()");
}

// A C library: the handle is passed around, and what one call returned goes into another.
TEST(TestWriter, WritesCallsOfAHandle) {
  ClassListing listing;
  listing.name = "db";
  listing.handle = "db *";
  listing.slots = {{"cursor1", "cursor *", ""}};
  listing.pools = {{"db *", {"$object"}}, {"cursor *", {"$cursor1", "nullptr"}}, {"db **", {"&$object"}}};
  listing.operations = {{CallRole::handle_maker, "db_open", "db_open", "db_open(db **)", {2}, false, false, "nullptr"},
                        {CallRole::function, "db_first", "db_first", "", {0}, false, false, "", "cursor1"},
                        {CallRole::function, "db_next", "db_next", "", {0, 1}},
                        {CallRole::function, "db_close", "db_close", "", {0}}};
  TestText text;
  text.includes = include_lines({"db.h"}, true);
  const TestCandidate test = {{{0, {0}}, {1, {0}}}, {{{2, {0, 0}}}, {{3, {0}}}}};
  const std::string written = write_test(listing, test, text);
  EXPECT_NE(written.find("extern \"C\" {\n#include \"db.h\"\n}\n"), std::string::npos);
  EXPECT_NE(written.find("  cursor * cursor1{};\n"
                         "  db * handle = nullptr;\n"
                         "  db_open(&handle);\n"
                         "  cursor1 = db_first(handle);\n"
                         "  std::thread thread1([&] { db_next(handle, cursor1); });  // the crashing method\n"
                         "  std::thread thread2([&] { db_close(handle); });\n"),
            std::string::npos)
      << written;
  EXPECT_EQ(test_size(listing, test), 4U);
  const std::string unfilled = write_test(listing, {{{0, {0}}}, {{{2, {0, 0}}}, {{3, {0}}}}}, text);
  EXPECT_NE(unfilled.find("db_next(handle, nullptr)"), std::string::npos) << unfilled;
  const std::string harness = write_harness(listing, text.includes).text;
  EXPECT_NE(harness.find("static db * ravel_object = nullptr;\n"), std::string::npos);
  EXPECT_NE(harness.find("return &ravel_object;"), std::string::npos);
  EXPECT_NE(harness.find("if (ravel_harness::keeps_results) ravel_slot_cursor1() = db_first("), std::string::npos);
}

TEST(BuildCommand, CanBeTypedWhereRavelRan) {
  BuildPlan plan;
  plan.options = {"-std=c++20", "-std=c11", "-DX"};
  plan.directory = std::filesystem::current_path();
  plan.folders = {"."};
  plan.sources = {(plan.directory / "src/db.c").string(), "/elsewhere/more.cpp"};
  EXPECT_EQ(build_command("out/test.cpp", "out/test", plan),
            "ravel cc -O0 -g -std=c11 -DX -c src/db.c -o out/db.o && ravel c++ -O0 -g -std=c++20 -DX -iquote . "
            "out/test.cpp out/db.o /elsewhere/more.cpp -pthread -o out/test");
}

TEST(HarnessWriter, KnowsTheLinesOfWhatItWrites) {
  const ClassListing listing = testing::sample_listing();
  const HarnessSource source = write_harness(listing, include_lines({"/src/logger.h"}, false));
  std::vector<std::string> lines = {""};
  for (const char c : source.text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  for (std::size_t i = 0; i < listing.operations.size(); ++i) {
    EXPECT_NE(lines[source.operations[i].first - 1].find("ravel_call_" + std::to_string(i)), std::string::npos);
  }
  EXPECT_NE(lines[source.values[1][2].first - 1].find("return nullptr"), std::string::npos);
  EXPECT_NE(lines[source.slots[1].first - 1].find("ravel_slot_filter2"), std::string::npos);
}

TEST(HarnessWriter, ReplacesSlots) {
  EXPECT_EQ(with_slots("&$filter1", "slot_", "()", "(*object)"), "&slot_filter1()");
  EXPECT_EQ(with_slots("$object.size() + $a", "", "", "logger"), "logger.size() + a");
  EXPECT_EQ(slots_in("f($a1, &$object, $b)"), (std::vector<std::string>{"a1", "b"}));
}

TEST(HarnessBuild, FindsTheLinesOfErrors) {
  const std::string output =
      "/tmp/w/harness.cpp: In function 'void ravel_call_3(const int*)':\n"
      "/tmp/w/harness.cpp:41:7: error: no matching function\n"
      "/src/box.h:9:3: error: no member named 'x'\n"
      "/tmp/w/harness.cpp:44:90:   required from here\n"
      "/tmp/w/harness.cpp:50:1: note: candidate\n";
  EXPECT_EQ(error_lines(output, "/tmp/w/harness.cpp"), (std::vector<std::size_t>{41, 44}));
}

}  // namespace
}  // namespace ravel
