// SPDX-License-Identifier: Apache-2.0
// JUnit XML: cases of the command, of findings, and of nothing found.
#include "reports/junit_report.h"

#include <gtest/gtest.h>

#include "tests/reports/sample_findings.h"

namespace ravel {
namespace {

CommandResult sample() {
  CommandResult result;
  result.command = "run";
  result.program = {"./bank", "a<b"};
  result.verdict = "nothing found in 10 executions";
  result.seconds = 0.5;
  return result;
}

TEST(JunitReport, NothingFoundIsACaseThatPassed) {
  EXPECT_EQ(junit_report(sample()),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites tests=\"1\" failures=\"0\" time=\"0.500\">\n"
            "  <testsuite name=\"ravel run\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"0.500\">\n"
            "    <testcase classname=\"./bank a&lt;b\" name=\"nothing found in 10 executions\" time=\"0.500\"/>\n"
            "  </testsuite>\n"
            "</testsuites>\n");
}

TEST(JunitReport, EachFindingIsACaseThatFailed) {
  CommandResult result = sample();
  result.findings = {SampleFindings().reported(FindingKind::deadlock), SampleFindings().reported(FindingKind::signal)};
  const std::string text = junit_report(result);
  EXPECT_NE(text.find("tests=\"2\" failures=\"2\""), std::string::npos);
  EXPECT_NE(text.find("name=\"deadlock 2\""), std::string::npos) << text;
  EXPECT_NE(text.find("<failure type=\"signal\" message=\""), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);  // of the program's output
}

TEST(JunitReport, CasesOfTheCommandComeFirst) {
  CommandResult result = sample();
  result.findings = {SampleFindings().reported(FindingKind::deadlock)};
  result.cases = {{"a", 0.25}, {"b", {}, TestFailure{"deadlock", "m", "t"}}, {"c", {}, {}, "the time was up"}};
  const std::string text = junit_report(result);
  EXPECT_NE(text.find("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\""), std::string::npos) << text;
  EXPECT_NE(text.find("name=\"a\" time=\"0.250\"/>"), std::string::npos);
  EXPECT_NE(text.find("<failure type=\"deadlock\" message=\"m\">t</failure>"), std::string::npos);
  EXPECT_NE(text.find("<skipped message=\"the time was up\"/>"), std::string::npos);
}

}  // namespace
}  // namespace ravel
