// SPDX-License-Identifier: Apache-2.0
#include "reports/source_files.h"

#include <algorithm>
#include <fstream>
#include <memory>

#include "reports/campaign_result.h"
#include "reports/finding_report.h"

namespace ravel {
namespace {

class SourceFiles {
 public:
  // Empty when the file is not there.
  const std::vector<std::string>& lines(const std::string& path) {
    const auto [entry, is_new] = files_.try_emplace(path);
    if (is_new) {
      std::ifstream file(path);
      std::string line;
      while (std::getline(file, line)) entry->second.push_back(line);
    }
    return entry->second;
  }

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

class ExcerptCollector {
 public:
  void add(const std::vector<Frame>& frames) {
    for (const Frame& frame : frames) {
      if (frame.line != 0 && !frame.file.empty() && !is_library_frame(frame)) add(frame);
    }
  }

  void add(const ReportedFinding& reported) {
    const ResolvedFinding& finding = reported.finding;
    for (const ResolvedStack& stack : finding.stacks) {
      add(stack.frames);
      for (const HeldLock& lock : stack.held) add(lock.taken_at);
    }
    for (const ResolvedTask& task : finding.tasks) add(task.created_at);
    if (finding.memory.heap) {
      add(finding.memory.heap->allocated_at);
      add(finding.memory.heap->freed_at);
    }
    if (!reported.explanation) return;
    for (const ExplainedStep& step : reported.explanation->steps) add(step.stack);
    for (const ExplainedStep& step : reported.explanation->passing) add(step.stack);
  }

  SourceExcerpts take() { return std::move(excerpts_); }

 private:
  void add(const Frame& frame) {
    constexpr std::uint32_t kAround = 6;
    constexpr std::size_t kLongest = 400;  // of a line: generated code has longer ones
    const std::vector<std::string>& lines = files_.lines(frame.file);
    const std::size_t first = frame.line > kAround ? frame.line - kAround : 1;
    const std::size_t last = std::min<std::size_t>(lines.size(), std::size_t{frame.line} + kAround);
    for (std::size_t line = first; line <= last; ++line) {
      excerpts_[frame.file].try_emplace(static_cast<std::uint32_t>(line), lines[line - 1].substr(0, kLongest));
    }
  }

  SourceFiles files_;
  SourceExcerpts excerpts_;
};

}  // namespace

SourceText source_files() {
  const auto files = std::make_shared<SourceFiles>();
  return [files](const Frame& frame) -> std::string {
    if (frame.line == 0 || frame.file.empty()) return {};
    const std::vector<std::string>& lines = files->lines(frame.file);
    if (frame.line > lines.size()) return {};
    const std::string& line = lines[frame.line - 1];
    const std::size_t first = line.find_first_not_of(" \t");
    const std::size_t last = line.find_last_not_of(" \t\r");
    return first == std::string::npos ? std::string() : line.substr(first, last - first + 1);
  };
}

SourceExcerpts source_excerpts(const std::vector<ReportedFinding>& findings) {
  ExcerptCollector collector;
  for (const ReportedFinding& finding : findings) collector.add(finding);
  return collector.take();
}

}  // namespace ravel
