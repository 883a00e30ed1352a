// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/report_files.h"

#include <filesystem>

#include "reports/html_report.h"
#include "reports/json_report.h"
#include "reports/junit_report.h"
#include "reports/perfetto_report.h"
#include "reports/sarif_report.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

// The repository that the current directory belongs to, otherwise the directory itself.
std::string find_source_root() {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  for (fs::path path = here; !path.empty(); path = path.parent_path()) {
    if (fs::exists(path / ".git", error)) return path.string();
    if (path == path.root_path()) break;
  }
  return here.string();
}

}  // namespace

ReportFiles::ReportFiles(const OutputOptions& output) : output_(output) {
  for (std::string* const path : {&output_.json, &output_.html, &output_.sarif, &output_.junit, &output_.perfetto}) {
    std::error_code error;
    if (!path->empty() && *path != "-") *path = fs::absolute(*path, error).string();
  }
  if (!output_.sarif.empty()) source_root_ = find_source_root();
}

bool ReportFiles::any() const { return show_steps() || !output_.json.empty() || !output_.junit.empty(); }

bool ReportFiles::write(Console& console, const std::function<CommandResult()>& result,
                        const std::function<std::string()>& json) const {
  bool written = true;
  const auto write_one = [&](const std::string& path, const auto& text) {
    if (path.empty()) return;
    const Status status = write_report(text(), path);
    if (!status.is_ok()) console.trouble(status);
    written = written && status.is_ok();
  };
  write_one(output_.json, json);
  if (!show_steps() && output_.junit.empty()) return written;
  CommandResult told = result();
  told.source_root = source_root_;
  if (!output_.html.empty()) told.sources = source_excerpts(told.findings);
  write_one(output_.html, [&] { return html_report(told); });
  write_one(output_.sarif, [&] { return sarif_report(told); });
  write_one(output_.junit, [&] { return junit_report(told); });
  write_one(output_.perfetto, [&] { return perfetto_report(told); });
  return written;
}

}  // namespace ravel
