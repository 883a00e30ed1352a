// SPDX-License-Identifier: Apache-2.0
#include "driver/futures/future_terms.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ravel {
namespace {

using Json = nlohmann::json;

// `Account::total`, `account.total` and `total[3]` are all `total`: the sources know classes, executions know objects.
std::string last_name(std::string name) {
  name = name.substr(0, name.find('['));
  const std::size_t separator = name.find_last_of(".:");
  return separator == std::string::npos ? name : name.substr(separator + 1);
}

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

}  // namespace

Result<FutureTerms> FutureTerms::load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return Status::trouble(fmt::format("cannot read {}", path), "write it with `ravel analyze --futures --json`");
  const Json json = Json::parse(file, nullptr, false);
  FutureTerms terms;
  try {
    if (json.at("command") != "analyze") throw Json::type_error::create(302, "another command", &json);
    const auto place = [](const Json& one) {
      return Place{one.at("file").get<std::string>(), one.at("line").get<std::uint32_t>()};
    };
    for (const Json& read : json.at("reads")) {
      Read entry{place(read), read.at("object").get<std::string>(), {}};
      for (const Json& definition : read.at("definitions")) {
        entry.definitions.push_back({place(definition), definition.at("initial").get<bool>()});
      }
      terms.reads_.push_back(std::move(entry));
    }
  } catch (const Json::exception&) {
    return Status::trouble(fmt::format("{} is not what `ravel analyze --futures --json` writes", path),
                           "write it again, or leave --terms out");
  }
  return terms;
}

bool FutureTerms::is_at(const Place& place, const SourcePlace& seen) {
  return place.line == seen.line && file_name(place.file) == file_name(seen.file);
}

const FutureTerms::Read* FutureTerms::find(const SourcePlace& read, const std::string& object) const {
  for (const Read& one : reads_) {
    const bool same = object.empty() || last_name(one.object) == last_name(object);
    if (same && is_at(one.place, read)) return &one;
  }
  return nullptr;
}

std::optional<bool> FutureTerms::allows(const SourcePlace& read, const std::string& object,
                                        const SourcePlace* write) const {
  std::optional<bool> answer;
  for (const Read& one : reads_) {
    const bool same = object.empty() || last_name(one.object) == last_name(object);
    if (!same || !is_at(one.place, read)) continue;
    const bool here = std::any_of(one.definitions.begin(), one.definitions.end(), [&](const Definition& definition) {
      return write == nullptr ? definition.initial : is_at(definition.place, *write);
    });
    answer = answer.value_or(false) || here;
  }
  return answer;
}

void FutureTerms::add_not_reached(FutureTable& table) const {
  for (FutureRead& row : table.reads) {
    const Read* const read = find(row.place, row.object);
    if (read == nullptr) continue;
    for (const Definition& definition : read->definitions) {
      const bool known = std::any_of(row.definitions.begin(), row.definitions.end(), [&](const FutureDefinition& one) {
        return definition.initial ? one.initial : !one.initial && is_at(definition.place, one.place);
      });
      if (known || definition.initial) continue;
      FutureDefinition missing;
      const std::string name = fmt::format("{}:{}", file_name(definition.place.file), definition.place.line);
      missing.place = SourcePlace{definition.place.file, definition.place.line, name, false};
      missing.status = FutureStatus::not_reached;
      missing.reason = "no execution came to this write";
      row.definitions.push_back(std::move(missing));
    }
  }
}

}  // namespace ravel
