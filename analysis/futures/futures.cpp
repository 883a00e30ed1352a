// SPDX-License-Identifier: Apache-2.0
#include "analysis/futures/futures.h"

#include <algorithm>
#include <filesystem>

#include "analysis/futures/program_reader.h"

namespace ravel {

FuturesResult find_futures(const std::vector<ParseInput>& sources) {
  FuturesResult result;
  FlowProgram program;
  ProgramReader reader(program);
  for (ParseInput input : sources) {
    if (!std::filesystem::is_regular_file(input.file)) {
      result.errors.push_back({"", "There is no file " + input.file + ".", "Check the path."});
      continue;
    }
    input.whole = true;
    input.instantiates = true;
    std::vector<CompilerError> errors;
    const bool seen = parse(
        input, [&](ParsedFile& file) { reader.read(file); }, errors);
    // What Clang cannot read is missing from the tree, and with it definitions.
    if (!seen || !errors.empty()) {
      const std::string why = errors.empty() ? "it is empty"
                                             : errors.front().path + ":" + std::to_string(errors.front().line) + ": " +
                                                   errors.front().message;
      result.errors.push_back(
          {"", "Clang cannot read " + input.file + ": " + why + ".",
           "Give the options the file is really compiled with: --compile-commands FILE, or -- OPTIONS."});
    }
  }
  if (!result.errors.empty()) return result;
  if (program.main < 0) {
    result.errors.push_back({"", "None of the sources has a main function.", "Give all sources of one program."});
    return result;
  }
  ProgramGraph graph;
  if (!graph.build(program)) {
    result.errors.push_back({"", "The program is too large to analyse as a whole.", "Give fewer sources."});
    return result;
  }
  const SyncOrder order(graph);
  result.reads = ReachingDefinitions(graph, order).find();
  for (const GraphThread& thread : graph.threads()) result.threads.push_back(thread.name);
  return result;
}

}  // namespace ravel
