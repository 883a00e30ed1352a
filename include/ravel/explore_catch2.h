// SPDX-License-Identifier: Apache-2.0
//
// The part of <ravel/explore.h> for Catch2, version 2. Include that one, after <catch2/catch.hpp>.
#ifndef RAVEL_EXPLORE_CATCH2_H
#define RAVEL_EXPLORE_CATCH2_H

#include <ravel/explore.h>

#if defined(CATCH_VERSION_MAJOR)  // nothing without the framework

#if CATCH_VERSION_MAJOR != 2
#error "<ravel/explore.h> knows version 2 of Catch2; with another one call ravel::explore from a file without Catch2"
#endif

namespace ravel {
namespace exploring {

// Stands between the assertions of the body and Catch2: passes everything on, and tells what failed.
class Catch2Capture final : public ::Catch::IResultCapture {
 public:
  explicit Catch2Capture(::Catch::IResultCapture& next) : next_(next) {}

  void handleExpr(const ::Catch::AssertionInfo& info, const ::Catch::ITransientExpression& expression,
                  ::Catch::AssertionReaction& reaction) override {
    next_.handleExpr(info, expression, reaction);
    if (next_.lastAssertionPassed()) return;
    std::ostringstream values;
    expression.streamReconstructedExpression(values);
    tell(info, values.str());
  }
  void handleMessage(const ::Catch::AssertionInfo& info, ::Catch::ResultWas::OfType type,
                     const ::Catch::StringRef& message, ::Catch::AssertionReaction& reaction) override {
    next_.handleMessage(info, type, message, reaction);
    if (!next_.lastAssertionPassed()) tell(info, static_cast<std::string>(message));
  }
  void handleUnexpectedExceptionNotThrown(const ::Catch::AssertionInfo& info,
                                          ::Catch::AssertionReaction& reaction) override {
    next_.handleUnexpectedExceptionNotThrown(info, reaction);
    tell(info, "no exception was thrown where one was expected");
  }
  void handleUnexpectedInflightException(const ::Catch::AssertionInfo& info, const std::string& message,
                                         ::Catch::AssertionReaction& reaction) override {
    next_.handleUnexpectedInflightException(info, message, reaction);
    if (!next_.lastAssertionPassed()) tell(info, "it threw: " + message);
  }
  void handleIncomplete(const ::Catch::AssertionInfo& info) override {
    next_.handleIncomplete(info);
    tell(info, "it did not come to its end");
  }
  void handleNonExpr(const ::Catch::AssertionInfo& info, ::Catch::ResultWas::OfType type,
                     ::Catch::AssertionReaction& reaction) override {
    next_.handleNonExpr(info, type, reaction);
    if (!next_.lastAssertionPassed()) tell(info, "");
  }

  bool sectionStarted(const ::Catch::SectionInfo& info, ::Catch::Counts& counts) override {
    return next_.sectionStarted(info, counts);
  }
  void sectionEnded(const ::Catch::SectionEndInfo& info) override { next_.sectionEnded(info); }
  void sectionEndedEarly(const ::Catch::SectionEndInfo& info) override { next_.sectionEndedEarly(info); }
  ::Catch::IGeneratorTracker& acquireGeneratorTracker(::Catch::StringRef name,
                                                      const ::Catch::SourceLineInfo& line) override {
    return next_.acquireGeneratorTracker(name, line);
  }
#if defined(CATCH_CONFIG_ENABLE_BENCHMARKING)
  void benchmarkPreparing(const std::string& name) override { next_.benchmarkPreparing(name); }
  void benchmarkStarting(const ::Catch::BenchmarkInfo& info) override { next_.benchmarkStarting(info); }
  void benchmarkEnded(const ::Catch::BenchmarkStats<>& stats) override { next_.benchmarkEnded(stats); }
  void benchmarkFailed(const std::string& error) override { next_.benchmarkFailed(error); }
#endif
  void pushScopedMessage(const ::Catch::MessageInfo& message) override { next_.pushScopedMessage(message); }
  void popScopedMessage(const ::Catch::MessageInfo& message) override { next_.popScopedMessage(message); }
  void emplaceUnscopedMessage(const ::Catch::MessageBuilder& builder) override {
    next_.emplaceUnscopedMessage(builder);
  }
  void handleFatalErrorCondition(::Catch::StringRef message) override { next_.handleFatalErrorCondition(message); }
  bool lastAssertionPassed() override { return next_.lastAssertionPassed(); }
  void assertionPassed() override { next_.assertionPassed(); }
  std::string getCurrentTestName() const override { return next_.getCurrentTestName(); }
  const ::Catch::AssertionResult* getLastResult() const override { return next_.getLastResult(); }
  void exceptionEarlyReported() override { next_.exceptionEarlyReported(); }

 private:
  static void tell(const ::Catch::AssertionInfo& info, const std::string& values) {
    const std::string what = static_cast<std::string>(info.capturedExpression);
    assertion_failed(static_cast<std::string>(info.macroName) + (what.empty() ? "" : "( " + what + " )") +
                         (values.empty() ? "" : ": " + values),
                     info.lineInfo.file, info.lineInfo.line);
  }

  ::Catch::IResultCapture& next_;
};

struct Catch2 {
  static std::string case_name() {
    ::Catch::IResultCapture* const capture = ::Catch::getCurrentContext().getResultCapture();
    return capture == nullptr ? std::string() : capture->getCurrentTestName();
  }
  // Options stay; the names and tags of tests make way for this one.
  static std::vector<std::string> only_case(std::vector<std::string> arguments) {
    const std::string name = case_name();
    if (name.empty()) return arguments;
    static const std::string kWithValue[] = {"-o",
                                             "--out",
                                             "-r",
                                             "--reporter",
                                             "-n",
                                             "--name",
                                             "-x",
                                             "--abortx",
                                             "-w",
                                             "--warn",
                                             "-d",
                                             "--durations",
                                             "-D",
                                             "--min-duration",
                                             "-f",
                                             "--input-file",
                                             "-c",
                                             "--section",
                                             "-v",
                                             "--verbosity",
                                             "--order",
                                             "--rng-seed",
                                             "--use-colour",
                                             "--benchmark-samples",
                                             "--benchmark-resamples",
                                             "--benchmark-confidence-interval",
                                             "--benchmark-warmup-time"};
    std::vector<std::string> words(arguments.begin(), arguments.begin() + (arguments.empty() ? 0 : 1));
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      if (arguments[i].compare(0, 1, "-") != 0) continue;
      if (arguments[i] == "-f" || arguments[i] == "--input-file") {  // names of tests, too
        ++i;
        continue;
      }
      words.push_back(arguments[i]);
      for (const std::string& option : kWithValue) {
        if (option == arguments[i] && i + 1 < arguments.size()) words.push_back(arguments[++i]);
      }
    }
    std::string pattern;
    for (const char c : name)
      pattern += std::strchr("\\,[]\"~*", c) != nullptr ? std::string("\\") + c : std::string(1, c);
    words.push_back(pattern);
    return words;
  }
  template <typename Body>
  static void run_body(Body& body) {
    static Catch2Capture capture(::Catch::getResultCapture());
    ::Catch::getCurrentMutableContext().setResultCapture(&capture);
    exploring::run_body(body);
  }
};

}  // namespace exploring

inline namespace with_catch2 {
RAVEL_EXPLORE_WITH_(exploring::Catch2)
}  // namespace with_catch2
}  // namespace ravel

#if defined(CATCH_CONFIG_PREFIX_ALL)
#define RAVEL_CATCH_(Macro) CATCH_##Macro
#else
#define RAVEL_CATCH_(Macro) Macro
#endif

// TEST_CASE("Suite.Name") whose body is explored.
#define RAVEL_TEST(Suite, Name)                                                          \
  static void ravel_body_##Suite##_##Name();                                             \
  RAVEL_CATCH_(TEST_CASE)(#Suite "." #Name) {                                            \
    const ::ravel::ExploreResult result = ::ravel::explore(ravel_body_##Suite##_##Name); \
    if (!result) RAVEL_CATCH_(FAIL)(result.message);                                     \
  }                                                                                      \
  static void ravel_body_##Suite##_##Name()

#endif  // CATCH_VERSION_MAJOR
#endif  // RAVEL_EXPLORE_CATCH2_H
