// SPDX-License-Identifier: Apache-2.0
#include "analysis/futures/futures.h"

#include "analysis/futures/program_reader.h"

namespace ravel {

FuturesResult find_futures(const std::vector<ParseInput>& sources) {
  FuturesResult result;
  FlowProgram program;
  result.errors = read_program(sources, program);
  if (!result.errors.empty()) return result;
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
