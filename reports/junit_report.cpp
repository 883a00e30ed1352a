// SPDX-License-Identifier: Apache-2.0
#include "reports/junit_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/text_report.h"
#include "reports/xml_text.h"

namespace ravel {
namespace {

std::vector<TestedCase> cases_of(const CommandResult& result) {
  if (!result.cases.empty()) return result.cases;
  if (result.findings.empty()) return {{result.verdict, result.seconds}};
  std::vector<TestedCase> cases;
  for (const ReportedFinding& one : result.findings) {
    const std::string kind = finding_name(one.finding.kind);
    cases.push_back({fmt::format("{} {}", kind, one.id), result.seconds,
                     TestFailure{kind, one.finding.message, text_of_finding(one)}});
  }
  return cases;
}

std::string text_of(const TestedCase& one, const std::string& program) {
  std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}\"", program, xml_text(one.name));
  if (one.seconds) text += fmt::format(" time=\"{:.3f}\"", *one.seconds);
  if (one.failure) {
    return text + fmt::format(">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n",
                              xml_text(one.failure->type), xml_text(one.failure->message), xml_text(one.failure->text));
  }
  if (one.skipped.empty()) return text + "/>\n";
  return text + fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n", xml_text(one.skipped));
}

}  // namespace

std::string junit_report(const CommandResult& result) {
  const std::vector<TestedCase> cases = cases_of(result);
  const auto failed = std::count_if(cases.begin(), cases.end(), [](const TestedCase& one) { return !!one.failure; });
  const auto skipped =
      std::count_if(cases.begin(), cases.end(), [](const TestedCase& one) { return !one.skipped.empty(); });
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites tests=\"{0}\" failures=\"{1}\" time=\"{2:.3f}\">\n"
      "  <testsuite name=\"ravel {3}\" tests=\"{0}\" failures=\"{1}\" errors=\"0\" skipped=\"{4}\" time=\"{2:.3f}\">\n",
      cases.size(), failed, result.seconds, xml_text(result.command), skipped);
  const std::string program = xml_text(fmt::format("{}", fmt::join(result.program, " ")));
  for (const TestedCase& one : cases) text += text_of(one, program);
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace ravel
