// SPDX-License-Identifier: Apache-2.0
// The trace for ui.perfetto.dev: what each event must have, and that spans and arrows fit together.
#include "reports/perfetto_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/reports/sample_explanation.h"
#include "tests/reports/sample_findings.h"

namespace ravel {
namespace {

nlohmann::json events() {
  CommandResult result;
  result.command = "run";
  result.findings = {SampleFindings().reported(FindingKind::assertion), SampleFindings().reported(FindingKind::signal)};
  result.findings[0].explanation = sample_explanation();
  return nlohmann::json::parse(perfetto_report(result))["traceEvents"];
}

TEST(PerfettoReport, EveryEventHasWhatItsPhaseNeeds) {
  for (const auto& event : events()) {
    SCOPED_TRACE(event.dump());
    const std::string phase = event.at("ph");
    EXPECT_TRUE(event.at("name").is_string());
    EXPECT_TRUE(event.at("pid").is_number_unsigned());
    EXPECT_TRUE(event.at("tid").is_number_unsigned());
    if (phase == "M") {
      EXPECT_TRUE(event.at("args").at("name").is_string());
      continue;
    }
    EXPECT_TRUE(event.at("ts").is_number_unsigned());
    if (phase == "X") {
      EXPECT_GE(event.at("dur").get<int>(), 1);
    } else if (phase == "i") {
      EXPECT_EQ(event.at("s"), "p");
    } else {
      EXPECT_TRUE(std::set<std::string>({"b", "e", "s", "f"}).contains(phase));
      EXPECT_TRUE(event.at("cat").is_string());
      EXPECT_TRUE(event.at("id").is_number_unsigned());
    }
  }
}

TEST(PerfettoReport, SlicesOfATaskDoNotOverlap) {
  std::map<int, int> end;
  auto all = events();
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.value("ts", 0) < b.value("ts", 0); });
  for (const auto& event : all) {
    if (event["ph"] != "X") continue;
    const int begin = event["ts"];
    EXPECT_GE(begin, end[event["tid"].get<int>()]) << event.dump();
    end[event["tid"].get<int>()] = begin + event["dur"].get<int>();
  }
}

TEST(PerfettoReport, LocksAndArrowsComeInPairs) {
  std::map<std::string, std::set<std::uint64_t>> ids;
  for (const auto& event : events()) {
    if (event.contains("id")) ids[event["ph"]].insert(event["id"].get<std::uint64_t>());
  }
  EXPECT_EQ(ids["b"].size(), 2U);  // T1 and T2 have the mutex once each
  EXPECT_EQ(ids["b"], ids["e"]);
  EXPECT_EQ(ids["s"].size(), 3U);
  EXPECT_EQ(ids["s"], ids["f"]);
}

}  // namespace
}  // namespace ravel
