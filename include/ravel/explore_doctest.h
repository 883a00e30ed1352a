// SPDX-License-Identifier: Apache-2.0
//
// The part of <ravel/explore.h> for doctest. Include that one, after <doctest/doctest.h>.
#ifndef RAVEL_EXPLORE_DOCTEST_H
#define RAVEL_EXPLORE_DOCTEST_H

#include <ravel/explore.h>

#if defined(DOCTEST_VERSION)  // nothing without the framework

namespace ravel {
namespace exploring {

class DoctestListener : public ::doctest::IReporter {
 public:
  explicit DoctestListener(const ::doctest::ContextOptions&) {}

  void log_assert(const ::doctest::AssertData& assertion) override {
    if (!assertion.m_failed || (assertion.m_at & ::doctest::assertType::is_warn) != 0) return;
    std::string text = std::string(::doctest::assertString(assertion.m_at)) + "( " + assertion.m_expr + " )";
    if (assertion.m_threw) text += ", which threw " + std::string(assertion.m_exception.c_str());
    if (assertion.m_decomp.size() != 0) text += ": " + std::string(assertion.m_decomp.c_str());
    assertion_failed(text, assertion.m_file, static_cast<std::size_t>(assertion.m_line));
  }
  void log_message(const ::doctest::MessageData& message) override {
    if ((message.m_severity & ::doctest::assertType::is_warn) != 0) return;
    assertion_failed(message.m_string.c_str(), message.m_file, static_cast<std::size_t>(message.m_line));
  }

  void report_query(const ::doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const ::doctest::TestRunStats&) override {}
  void test_case_start(const ::doctest::TestCaseData&) override {}
  void test_case_reenter(const ::doctest::TestCaseData&) override {}
  void test_case_end(const ::doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const ::doctest::TestCaseException&) override {}
  void subcase_start(const ::doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void test_case_skipped(const ::doctest::TestCaseData&) override {}
};
inline const int doctest_listener_is_registered = ::doctest::registerReporter<DoctestListener>("ravel", 1, false);

struct Doctest {
  static std::string case_name() {
    const ::doctest::ContextOptions* const context = ::doctest::getContextOptions();
    if (context == nullptr || context->currentTest == nullptr) return "";
    return context->currentTest->m_name;
  }
  static std::vector<std::string> only_case(std::vector<std::string> arguments) {
    const std::string name = case_name();
    if (name.empty()) return arguments;
    std::string filter = "--test-case=";
    for (const char c : name) filter += c == ',' ? std::string("\\,") : std::string(1, c);
    arguments.push_back(filter);  // the last one counts
    return arguments;
  }
  template <typename Body>
  static void run_body(Body& body) {
    exploring::run_body(body);
  }
};

}  // namespace exploring

inline namespace with_doctest {
RAVEL_EXPLORE_WITH_(exploring::Doctest)
}  // namespace with_doctest
}  // namespace ravel

// TEST_CASE("Suite.Name") whose body is explored.
#define RAVEL_TEST(Suite, Name)                                                          \
  static void ravel_body_##Suite##_##Name();                                             \
  DOCTEST_TEST_CASE(#Suite "." #Name) {                                                  \
    const ::ravel::ExploreResult result = ::ravel::explore(ravel_body_##Suite##_##Name); \
    if (!result) DOCTEST_FAIL(result.message);                                           \
  }                                                                                      \
  static void ravel_body_##Suite##_##Name()

#endif  // DOCTEST_VERSION
#endif  // RAVEL_EXPLORE_DOCTEST_H
