// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/method_coverage.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/json_report.h"

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kFormat = 1;

}  // namespace

const std::string& MethodCoverage::function_at(std::uint64_t pc, const NameOf& name_of) {
  const auto known = functions_.find(pc);
  if (known != functions_.end()) return known->second;
  return functions_.emplace(pc, name_of(pc)).first->second;
}

void MethodCoverage::list(const std::vector<std::uint64_t>& calls, const NameOf& name_of) {
  for (const std::uint64_t pc : calls) {
    const std::string& function = function_at(pc, name_of);
    if (!function.empty()) listed_.insert(function);
  }
}

void MethodCoverage::learn(const RunEvents& run, const NameOf& name_of) {
  std::set<std::string> interrupted;
  std::set<std::string> seen;
  for (const std::uint64_t pc : run.alone) {
    const std::string& function = function_at(pc, name_of);
    if (!function.empty()) methods_.try_emplace(function);
  }
  for (const std::uint64_t pc : run.concurrent) {
    const std::string& function = function_at(pc, name_of);
    if (function.empty()) continue;
    seen.insert(function);
    methods_[function].concurrent = true;
  }
  for (const Interruption& one : run.interruptions) {
    const std::string& function = function_at(one.interrupted, name_of);
    const std::string& by = function_at(one.by, name_of);
    if (function.empty()) continue;
    interrupted.insert(function);
    methods_[function].concurrent = true;
    if (!by.empty()) methods_[function].by.insert(by);
  }
  for (const std::string& function : interrupted) ++methods_[function].interrupted;
  for (const std::string& function : seen) {
    if (!interrupted.contains(function)) ++methods_[function].undisturbed;
  }
  count_concurrent();
}

std::uint8_t MethodCoverage::weight_at(std::uint64_t pc) const {
  const auto function = functions_.find(pc);
  if (function == functions_.end() || function->second.empty()) return 1;
  const auto found = methods_.find(function->second);
  if (found == methods_.end() || !found->second.concurrent) return 1;
  const Method& method = found->second;
  if (method.interrupted == 0) return kMethod;
  if (method.undisturbed == 0) return 1;  // the other task of model 1 needs it undisturbed
  return method.by.size() < concurrent_ ? kPair : 1;
}

void MethodCoverage::count_concurrent() {
  concurrent_ = static_cast<std::size_t>(
      std::count_if(methods_.begin(), methods_.end(), [](const auto& entry) { return entry.second.concurrent; }));
}

double MethodCoverage::share() const {
  std::uint64_t tasks = 0;
  std::uint64_t covered = 0;
  for (const auto& [name, method] : methods_) {
    if (!method.concurrent) continue;
    tasks += 2;
    covered += (method.interrupted > 0 ? 1U : 0U) + (method.undisturbed > 0 ? 1U : 0U);
  }
  return tasks == 0 ? 0 : static_cast<double>(covered) / static_cast<double>(tasks);
}

MethodSummary MethodCoverage::summary() const {
  MethodSummary summary;
  std::uint64_t concurrent = 0;
  for (const auto& [name, method] : methods_) {
    MethodRow row{name, method.concurrent, method.interrupted, method.undisturbed, {}};
    if (method.concurrent) {
      ++concurrent;
      summary.tasks += 2;
      summary.tasks_covered += (method.interrupted > 0 ? 1U : 0U) + (method.undisturbed > 0 ? 1U : 0U);
      // A function that interrupts is concurrent, so every pair that was seen is a possible one.
      summary.pairs_covered += method.by.size();
      row.by.assign(method.by.begin(), method.by.end());
    } else {
      ++summary.single_threaded;
    }
    summary.rows.push_back(std::move(row));
  }
  summary.pairs = concurrent * concurrent;
  std::copy_if(listed_.begin(), listed_.end(), std::back_inserter(summary.unreached),
               [&](const std::string& function) { return !methods_.contains(function); });
  return summary;
}

Status MethodCoverage::read(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Status::ok();
  const auto damaged = [&] {
    return Status::trouble(fmt::format("{} is not a coverage file that ravel noise wrote", path),
                           "name another one (--coverage-file F), or delete it to start over");
  };
  const Json json = Json::parse(file, nullptr, false);
  if (json.is_discarded() || !json.is_object() || json.value("ravel_coverage", Json(0)) != Json(kFormat)) {
    return damaged();
  }
  const auto functions = json.find("functions");
  if (functions == json.end() || !functions->is_array()) return damaged();
  std::map<std::string, Method> methods;
  for (const Json& entry : *functions) {
    if (!entry.is_object()) return damaged();
    const Json name = entry.value("function", Json());
    const Json concurrent = entry.value("concurrent", Json());
    const Json interrupted = entry.value("interrupted", Json());
    const Json undisturbed = entry.value("undisturbed", Json());
    const Json by = entry.value("by", Json());
    if (!name.is_string() || !concurrent.is_boolean() || !interrupted.is_number_unsigned() ||
        !undisturbed.is_number_unsigned() || !by.is_array()) {
      return damaged();
    }
    Method& method = methods[name.get<std::string>()];
    method.concurrent = concurrent.get<bool>();
    method.interrupted = interrupted.get<std::uint64_t>();
    method.undisturbed = undisturbed.get<std::uint64_t>();
    for (const Json& other : by) {
      if (!other.is_string()) return damaged();
      method.by.insert(other.get<std::string>());
    }
  }
  for (auto& [name, method] : methods) {
    Method& mine = methods_[name];
    mine.concurrent = mine.concurrent || method.concurrent;
    mine.interrupted += method.interrupted;
    mine.undisturbed += method.undisturbed;
    mine.by.merge(method.by);
  }
  // A function that interrupts another is concurrent, whatever else the file says about it.
  std::set<std::string> interrupting;
  for (const auto& [name, method] : methods_) interrupting.insert(method.by.begin(), method.by.end());
  for (const std::string& name : interrupting) methods_[name].concurrent = true;
  count_concurrent();
  return Status::ok();
}

Status MethodCoverage::write(const std::string& path) const {
  Json json = {{"ravel_coverage", kFormat}};
  json["functions"] = Json::array();
  for (const auto& [name, method] : methods_) {
    json["functions"].push_back({{"function", name},
                                 {"concurrent", method.concurrent},
                                 {"interrupted", method.interrupted},
                                 {"undisturbed", method.undisturbed},
                                 {"by", method.by}});
  }
  return write_report(json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n", path);
}

}  // namespace ravel
