// SPDX-License-Identifier: Apache-2.0
// Which report is the one that a race test is about.
#include "driver/race_tests/detector_report.h"

#include <gtest/gtest.h>

namespace ravel {
namespace {

Frame frame(const std::string& file, unsigned line) {
  Frame frame;
  frame.function = "f()";
  frame.file = file;
  frame.line = line;
  return frame;
}

FoundPlace place(const std::string& file, unsigned line, unsigned last_line) {
  FoundPlace place;
  place.file = file;
  place.line = line;
  place.last_line = last_line;
  return place;
}

WovenTest race_test() {
  WovenTest test;
  test.expected = FindingKind::data_race;
  test.racing = {place("/src/a.cpp", 10, 12), place("/src/b.h", 5, 5)};
  return test;
}

DetectorReport race(std::vector<Frame> first, std::vector<Frame> second) {
  DetectorReport report;
  report.kind = FindingKind::data_race;
  report.sentence = "it races";
  report.stacks = {std::move(first), std::move(second)};
  return report;
}

TEST(DetectorReport, ARaceIsExpectedEitherWayRound) {
  EXPECT_EQ(meaning_of(race({frame("/src/a.cpp", 10)}, {frame("/src/b.h", 5)}), race_test()), Meaning::expected);
  EXPECT_EQ(meaning_of(race({frame("/src/b.h", 5)}, {frame("/src/a.cpp", 12)}), race_test()), Meaning::expected);
  EXPECT_EQ(meaning_of(race({frame("/src/./x/../b.h", 5)}, {frame("/src/a.cpp", 12)}), race_test()), Meaning::expected);
}

TEST(DetectorReport, AnyFrameOfAnAccessMayLieInThePlace) {
  const auto inlined = race({frame("/usr/include/vector", 900), frame("/src/a.cpp", 11)}, {frame("/src/b.h", 5)});
  EXPECT_EQ(meaning_of(inlined, race_test()), Meaning::expected);
}

TEST(DetectorReport, ARaceElsewhereIsAnother) {
  EXPECT_EQ(meaning_of(race({frame("/src/a.cpp", 13)}, {frame("/src/b.h", 5)}), race_test()), Meaning::other);
  EXPECT_EQ(meaning_of(race({frame("/src/a.cpp", 10)}, {frame("/src/a.cpp", 11)}), race_test()), Meaning::other);
  EXPECT_EQ(meaning_of(race({frame("/other/a.cpp", 10)}, {frame("/src/b.h", 5)}), race_test()), Meaning::other);
  EXPECT_EQ(meaning_of(race({frame("/src/a.cpp", 10), frame("/src/b.h", 5)}, {}), race_test()), Meaning::other);
}

TEST(DetectorReport, OfHalfARaceTheHalfDecides) {
  DetectorReport report = race({frame("/src/b.h", 5)}, {});
  report.stacks.pop_back();
  EXPECT_EQ(meaning_of(report, race_test()), Meaning::other) << "a report that should have both";
  report.half = true;
  EXPECT_EQ(meaning_of(report, race_test()), Meaning::expected);
  report.stacks[0][0].line = 6;
  EXPECT_EQ(meaning_of(report, race_test()), Meaning::other);
}

TEST(DetectorReport, WithoutPlacesAnyRaceIsExpected) {
  WovenTest test = race_test();
  test.racing.clear();
  EXPECT_EQ(meaning_of(race({}, {}), test), Meaning::expected);
  test.expected = FindingKind::deadlock;
  EXPECT_EQ(meaning_of(race({}, {}), test), Meaning::other);
  test.expected.reset();
  EXPECT_EQ(meaning_of(race({}, {}), test), Meaning::expected) << "any failure, where the test says nothing";
}

TEST(DetectorReport, AWaitThatNobodyNotifiedIsNeverWhatIsExpected) {
  DetectorReport report;
  report.kind = FindingKind::deadlock;
  report.waits = true;
  WovenTest test = race_test();
  EXPECT_EQ(meaning_of(report, test), Meaning::impossible);
  test.expected = FindingKind::deadlock;
  EXPECT_EQ(meaning_of(report, test), Meaning::impossible);
  test.expected.reset();
  EXPECT_EQ(meaning_of(report, test), Meaning::impossible);
}

TEST(DetectorReport, TheSentenceHasBothPlaces) {
  const auto report = race({frame("/usr/include/vector", 900), frame("/src/a.cpp", 11)}, {frame("/src/b.h", 5)});
  EXPECT_EQ(sentence_of(report), "data-race: it races, at /src/a.cpp:11 (f()) and /src/b.h:5 (f())");
}

}  // namespace
}  // namespace ravel
