// SPDX-License-Identifier: Apache-2.0
// ProgramReader: turns translation units into a FlowProgram. With its helpers, the only part of the analysis of
// reaching definitions that knows Clang. Called by read_program, once per source, while its syntax tree is alive.
// Thread safety: none.
#pragma once

#include <memory>
#include <vector>

#include "analysis/futures/flow_program.h"
#include "analysis/points/parsed_file.h"
#include "analysis/points/point.h"

namespace ravel {

class ProgramReader {
 public:
  explicit ProgramReader(FlowProgram& program);
  ~ProgramReader();
  ProgramReader(const ProgramReader&) = delete;
  ProgramReader& operator=(const ProgramReader&) = delete;

  void read(ParsedFile& file);

 private:
  struct Names;
  std::unique_ptr<Names> names_;
};

// All sources are one program, with a main function. Returns what is wrong with them; then the program is not complete.
std::vector<Problem> read_program(const std::vector<ParseInput>& sources, FlowProgram& program);

}  // namespace ravel
