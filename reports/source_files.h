// SPDX-License-Identifier: Apache-2.0
// The sources of the program, as far as they are where its debug information names them: single lines for explanations,
// and the lines around every place of a report, for reports that must show them without the files.
//
// Thread safety: one thread per object.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "reports/symboliser.h"

namespace ravel {

struct ReportedFinding;

// The text of a source line, trimmed; empty when the file is not there.
using SourceText = std::function<std::string(const Frame& frame)>;

// Reads files, each once, from where the frame names them.
SourceText source_files();

// Lines of files by file and number, as they stand there.
using SourceExcerpts = std::map<std::string, std::map<std::uint32_t, std::string>>;

// The lines around each place that the findings name, library code left out.
SourceExcerpts source_excerpts(const std::vector<ReportedFinding>& findings);

}  // namespace ravel
