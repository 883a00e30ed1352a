// SPDX-License-Identifier: Apache-2.0
// How each framework is recognised, how its listing is read, and how one of its cases is selected.
#include "driver/cases/test_framework.h"

#include <gtest/gtest.h>

namespace ravel {
namespace {

using Words = TestFramework::Words;

std::string recognised(const std::string& answer) {
  const auto framework = framework_that_answers(answer);
  return framework == nullptr ? "" : framework->name();
}

TEST(TestFrameworks, AreRecognisedByTheirHelp) {
  EXPECT_EQ(recognised("Running main() from gtest_main.cc\n"
                       "This program contains tests written using Google Test. You can use the\n"),
            "GoogleTest");
  EXPECT_EQ(recognised("\nCatch v2.13.10\nusage:\n  t [<test name|pattern|tags> ... ] options\n"), "Catch2");
  EXPECT_EQ(recognised("\nCatch2 v3.4.0\nusage:\n"), "Catch2");
  EXPECT_EQ(recognised("[doctest] doctest version is \"2.4.9\"\n[doctest]\n"), "doctest");
  EXPECT_EQ(recognised(""), "");
  EXPECT_EQ(recognised("usage: server [--port N]\n  --port  the port.\n"), "");
  EXPECT_EQ(recognised("This server is tested with Catch v2.1\n"), "");
}

TEST(TestFrameworks, GoogleTestIsRecognisedByItsListingToo) {
  EXPECT_EQ(recognised("Loading data.\nQueue.\n  Push\n"), "GoogleTest");
  EXPECT_EQ(recognised("Queue.\n  DISABLED_Push\n"), "GoogleTest");
  EXPECT_EQ(recognised("Loading data.\ndone\n"), "");
}

class GoogleTestListing : public testing::Test {
 protected:
  std::vector<std::string> cases(const std::string& listing, const Words& arguments = {}) {
    return framework->cases_in(listing, arguments);
  }
  const std::unique_ptr<TestFramework> framework = make_google_test();
};

TEST_F(GoogleTestListing, HasSuitesWithTheirTests) {
  EXPECT_EQ(cases("Running main() from gtest_main.cc\n"
                  "Queue.\n  Push\n  Pop\n"
                  "Typed/0.  # TypeParam = std::map<int, std::string>\n  Works\n"
                  "Small/Sizes.\n  Holds/0  # GetParam() = 1\n  Holds/two  # GetParam() = (2, \"a  # b\")\n"),
            (std::vector<std::string>{"Queue.Push", "Queue.Pop", "Typed/0.Works", "Small/Sizes.Holds/0",
                                      "Small/Sizes.Holds/two"}));
}

TEST_F(GoogleTestListing, OtherOutputIsNoCase) {
  EXPECT_EQ(cases("  indented\nQueue.\n  Push\nsetting up\n  a detail\n\n  another\n.\n  x\n"),
            std::vector<std::string>{"Queue.Push"});
  EXPECT_TRUE(cases("").empty());
  EXPECT_TRUE(cases("Queue.").empty());
}

TEST_F(GoogleTestListing, DisabledTestsAreListedByItAndNotRun) {
  const std::string listing =
      "Queue.\n  DISABLED_Push\n  Pop\nDISABLED_Old.\n  Test\nSome/DISABLED_Sizes.\n  Holds/0\nNot_DISABLED_.\n  Yes\n";
  EXPECT_EQ(cases(listing), (std::vector<std::string>{"Queue.Pop", "Not_DISABLED_.Yes"}));
  EXPECT_EQ(cases(listing, {"--gtest_also_run_disabled_tests"}).size(), 5U);
  EXPECT_EQ(cases(listing, {"--gtest_also_run_disabled_tests=1"}).size(), 5U);
  EXPECT_EQ(cases(listing, {"--gtest_also_run_disabled_tests=0"}).size(), 2U);
  EXPECT_EQ(cases(listing, {"--gtest_also_run_disabled_tests=false"}).size(), 2U);
}

TEST_F(GoogleTestListing, TheFirstPlainWordIsTheFilter) {
  EXPECT_EQ(framework->listing_words({}), Words{"--gtest_list_tests"});
  EXPECT_EQ(framework->listing_words({"Queue.*", "--data", "dir"}),
            (Words{"--data", "dir", "--gtest_filter=Queue.*", "--gtest_list_tests"}));
  EXPECT_EQ(framework->listing_words({"--data", "dir", "--gtest_filter=Queue.*"}),
            (Words{"--data", "dir", "--gtest_filter=Queue.*", "--gtest_list_tests"}));
}

TEST_F(GoogleTestListing, ACaseIsSelectedByItsNameInPlaceOfTheFilter) {
  EXPECT_EQ(framework->selecting_words({"Queue.*", "--verbose"}, "Queue.Push", {}),
            (Words{"--verbose", "--gtest_filter=Queue.Push"}));
  EXPECT_EQ(framework->selecting_words({"--gtest_filter=-Slow.*"}, "Small/Sizes.Holds/0", {}),
            Words{"--gtest_filter=Small/Sizes.Holds/0"});
  EXPECT_EQ(framework->selecting_words({}, "Typed/std::vector<a-b>.Works", {}),
            Words{"--gtest_filter=Typed/std??vector<a?b>.Works"});
}

TEST(Catch2Listing, IsOneNamePerLine) {
  const auto framework = make_catch2(2);
  EXPECT_EQ(framework->cases_in("a, b [c]\n\"#hash\"\n\"quoted\"\n\nScenario: d\n", {}),
            (std::vector<std::string>{"a, b [c]", "#hash", "\"quoted\"", "Scenario: d"}));
}

TEST(Catch2Listing, IsAskedForAsTheVersionUnderstandsIt) {
  EXPECT_EQ(make_catch2(2)->listing_words({"[fast]"}), (Words{"[fast]", "--list-test-names-only"}));
  EXPECT_EQ(make_catch2(3)->listing_words({"[fast]"}), (Words{"[fast]", "--list-tests", "--verbosity", "quiet"}));
  // Reporters have listings of their own, and write them to other places.
  EXPECT_EQ(make_catch2(3)->listing_words({"-r", "xml", "--out=file", "-v", "high", "--order", "rand", "name"}),
            (Words{"--order", "rand", "name", "--list-tests", "--verbosity", "quiet"}));
}

TEST(Catch2Selection, ReplacesTheUsersTestsAndKeepsTheOptions) {
  const auto framework = make_catch2(2);
  EXPECT_EQ(framework->selecting_words({"[fast]", "-r", "compact", "name", "-s"}, "push", {}),
            (Words{"-r", "compact", "-s", "push"}));
  EXPECT_EQ(framework->selecting_words({"-f", "names.txt", "--input-file=more.txt"}, "push", {}), Words{"push"});
}

TEST(Catch2Selection, EscapesWhatMeansSomethingInAPattern) {
  const auto pattern = [](const std::string& name) { return make_catch2(3)->selecting_words({}, name, {}).back(); };
  EXPECT_EQ(pattern("plain name"), "plain name");
  EXPECT_EQ(pattern("a, b [c] \\ \"d\""), "a\\, b \\[c\\] \\\\ \\\"d\\\"");
  EXPECT_EQ(pattern("~not"), "\\~not");
  EXPECT_EQ(pattern("a ~ b"), "a ~ b");
  EXPECT_EQ(pattern("-option"), "\\-option");
  EXPECT_EQ(pattern("exclude:all"), "\\exclude:all");
}

TEST(DoctestListing, IsBetweenTwoRules) {
  const auto framework = make_doctest();
  EXPECT_EQ(framework->cases_in("starting\n========================\nnot a case\n"
                                "[doctest] listing all test case names\n"
                                "===============================================\n"
                                "push, then pop\n  Scenario: a\ntyped<int>\n"
                                "===============================================\n"
                                "[doctest] unskipped test cases passing the current filters: 3\n",
                                {}),
            (std::vector<std::string>{"push, then pop", "  Scenario: a", "typed<int>"}));
  EXPECT_TRUE(framework->cases_in("[doctest] listing all test case names\n", {}).empty());
  EXPECT_EQ(framework->listing_words({"push*", "-s"}), (Words{"-s", "--dt-test-case=push*", "--dt-list-test-cases"}));
}

TEST(DoctestSelection, ReplacesTheUsersFilterByName) {
  const auto framework = make_doctest();
  EXPECT_EQ(framework->selecting_words({"push*", "-s"}, "push", {"push"}), (Words{"-s", "--dt-test-case=push"}));
  EXPECT_EQ(
      framework->selecting_words({"-tc=a", "--test-case=b", "--dt-tc=c", "-ts=suite", "-tce=d"}, "push", {"push"}),
      (Words{"-ts=suite", "-tce=d", "--dt-test-case=push"}));
}

TEST(DoctestSelection, KnowsWhatIsSpecialInAFilter) {
  const auto framework = make_doctest();
  EXPECT_EQ(framework->selecting_words({}, "a, b \\ c", {}), Words{"--dt-test-case=a? b ? c"});
  // Filters ignore the case of letters unless they are told otherwise.
  EXPECT_EQ(framework->selecting_words({}, "push", {"push", "Push"}),
            (Words{"--dt-test-case=push", "--dt-case-sensitive=true"}));
}

// No escape is known for these: the case is explored together with those that its name matches as a pattern.
TEST(WildcardInAName, StaysAPattern) {
  EXPECT_EQ(make_doctest()->selecting_words({}, "a * b?", {}), Words{"--dt-test-case=a * b?"});
  EXPECT_EQ(make_catch2(3)->selecting_words({}, "*all*", {}), Words{"*all*"});
}

}  // namespace
}  // namespace ravel
