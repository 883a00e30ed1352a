// SPDX-License-Identifier: Apache-2.0
#include "driver/analyze/analyzer_question.h"

#include <fmt/format.h>

#include "driver/process/run_process.h"

namespace ravel {

using Json = nlohmann::ordered_json;

Result<Json> ask_about_program(const std::string& command, const std::vector<CompileCommand>& sources,
                               const std::string& analyzer) {
  Json request = {{"command", command}, {"sources", Json::array()}};
  for (const CompileCommand& source : sources) {
    request["sources"].push_back(
        {{"file", source.file.string()}, {"directory", source.directory.string()}, {"arguments", source.arguments}});
  }
  const auto told = run_process({analyzer}, request.dump(-1, ' ', false, Json::error_handler_t::replace));
  if (!told.is_ok()) return told.status();
  Json answer = Json::parse(told.value().output, nullptr, false);
  if (!answer.is_object() || !answer.contains("ok")) {
    return Status::trouble(fmt::format("{} ended with code {} and no answer", analyzer, told.value().code()),
                           "build or install Ravel again: the tool and its analyzer belong together");
  }
  if (!answer["ok"].get<bool>()) {
    std::string what;
    std::string advice;
    for (const Json& error : answer["errors"]) {
      what += (what.empty() ? "" : "\n") + error.value("message", "");
      if (advice.empty()) advice = error.value("hint", "");
    }
    return Status::trouble(what, advice);
  }
  return answer;
}

}  // namespace ravel
