// SPDX-License-Identifier: Apache-2.0
#include "driver/futures/future_terms.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;

// `Account::total`, `bank::account` and `total[3]` reduced to the bare name.
std::string last_name(std::string name) {
  name = name.substr(0, name.find('['));
  const std::size_t separator = name.find_last_of(':');
  return separator == std::string::npos ? name : name.substr(separator + 1);
}

// `bank::account.history[1].sum`, `list+16` and `total of T1` are an object and its parts: account, history, sum.
std::vector<std::string> names_in(const std::string& object) {
  std::vector<std::string> names;
  std::size_t begin = 0;
  const std::string path = object.substr(0, object.find(" of T"));
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    names.push_back(last_name(part.substr(0, part.find('+'))));
    begin = end + 1;
  }
  return names;
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
      Place result{one.at("file").get<std::string>(), one.at("line").get<std::uint32_t>(), {}};
      result.lines.push_back({file_name(result.file), result.line, result.line});
      for (const Json& more : one.at("lines")) {
        result.lines.push_back({file_name(more.at("file").get<std::string>()), more.at("first").get<std::uint32_t>(),
                                more.at("last").get<std::uint32_t>()});
      }
      return result;
    };
    for (const Json& read : json.at("reads")) {
      Read entry{place(read),
                 read.at("object").get<std::string>(),
                 read.at("variable").get<std::string>(),
                 read.at("unset").get<bool>(),
                 read.at("own_write").get<bool>(),
                 {}};
      for (const Json& definition : read.at("definitions")) {
        entry.definitions.push_back({place(definition), definition.at("perhaps_initial").get<bool>()});
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
  const std::string file = file_name(seen.file);
  return std::any_of(place.lines.begin(), place.lines.end(), [&](const Lines& lines) {
    return lines.first <= seen.line && seen.line <= lines.last && lines.file == file;
  });
}

// The sources know variables, fields of classes and types; executions know objects and their parts, or no name at all.
bool FutureTerms::is_of(const Read& read, const std::string& object) {
  if (object.empty() || object.starts_with("heap(") || read.variable.empty()) return true;
  const std::vector<std::string> names = names_in(object);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return name == last_name(read.object) || name == last_name(read.variable);
  });
}

std::vector<const FutureTerms::Read*> FutureTerms::find(const SourcePlace& read, const std::string& object) const {
  std::vector<const Read*> found;
  for (const Read& one : reads_) {
    if (is_of(one, object) && is_at(one.place, read)) found.push_back(&one);
  }
  return found;
}

bool FutureTerms::has(const SourcePlace& read, const std::string& object, const SourcePlace* write) const {
  const std::vector<const Read*> found = find(read, object);
  return std::any_of(found.begin(), found.end(), [&](const Read* one) {
    return std::any_of(one->definitions.begin(), one->definitions.end(), [&](const Definition& definition) {
      return write == nullptr ? definition.perhaps_initial : is_at(definition.place, *write);
    });
  });
}

bool FutureTerms::all_reached(const FutureTable& table) const {
  return std::all_of(reads_.begin(), reads_.end(), [&](const Read& one) {
    return std::any_of(table.reads.begin(), table.reads.end(),
                       [&](const FutureRead& row) { return is_of(one, row.object) && is_at(one.place, row.place); });
  });
}

void FutureTerms::compare(FutureTable& table) const {
  for (FutureRead& row : table.reads) {
    const std::vector<const Read*> found = find(row.place, row.object);
    for (FutureDefinition& one : row.definitions) {
      if (!one.realised()) continue;
      // The value of a variable that was never written is neither a term nor a contradiction. Nor is what a library
      // function reads back of its own writes.
      const bool no_term = std::any_of(found.begin(), found.end(), [&](const Read* read) {
        return one.initial ? read->unset : read->own_write && is_at(read->place, one.place);
      });
      one.in_terms = no_term || has(row.place, row.object, one.initial ? nullptr : &one.place);
    }
    // If the row may be of several variables, it is unknown whose write is missing.
    const bool clear =
        std::all_of(found.begin(), found.end(), [&](const Read* one) { return one->object == found[0]->object; });
    for (std::size_t i = 0; clear && i < found.size(); ++i) {
      for (const Definition& definition : found[i]->definitions) {
        if (definition.perhaps_initial) continue;
        const bool known = std::any_of(
            row.definitions.begin(), row.definitions.end(),
            [&](const FutureDefinition& one) { return !one.initial && is_at(definition.place, one.place); });
        if (known) continue;
        FutureDefinition missing;
        const std::string name = fmt::format("{}:{}", file_name(definition.place.file), definition.place.line);
        missing.place = SourcePlace{definition.place.file, definition.place.line, name, false};
        missing.status = FutureStatus::not_reached;
        missing.reason = "no execution reached this write";
        row.definitions.push_back(std::move(missing));
      }
    }
  }
}

}  // namespace ravel
