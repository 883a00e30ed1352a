// SPDX-License-Identifier: Apache-2.0
#include "driver/reproduce/class_listing.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/crash/function_name.h"
#include "driver/process/run_process.h"

namespace ravel {
namespace {

using nlohmann::json;

CallRole role_from(const std::string& name) {
  constexpr const char* kNames[] = {"constructor",  "pointer-factory", "reference-factory", "value-factory",
                                    "handle-maker", "method",          "function"};
  const auto* const found = std::find(std::begin(kNames), std::end(kNames), name);
  return static_cast<CallRole>(std::min<std::ptrdiff_t>(found - std::begin(kNames), 6));
}

}  // namespace

std::string ClassOperation::method() const { return parse_function_name(name).method(); }

Result<ClassListing> parse_listing(const std::string& answer) {
  const json object = json::parse(answer, nullptr, false);
  if (!object.is_object()) return Status::trouble("ravel-analyzer gave no answer", "please report it");
  if (!object.value("ok", false)) {
    const json errors = object.value("errors", json::array());
    const json first = errors.empty() ? json::object() : errors.front();
    return Status::trouble(first.value("message", "the header could not be read"), first.value("hint", ""));
  }
  ClassListing listing;
  listing.name = object.value("class", "");
  listing.handle = object.value("handle", "");
  listing.declarations = object.value("declarations", "");
  for (const json& one : object.value("operations", json::array())) {
    listing.operations.push_back({role_from(one.value("kind", "")), one.value("name", ""), one.value("call", ""),
                                  one.value("signature", ""), one.value("pools", std::vector<unsigned>()),
                                  one.value("const", false), one.value("instance", false), one.value("before", ""),
                                  one.value("result", "")});
  }
  for (const json& one : object.value("pools", json::array())) {
    listing.pools.push_back({one.value("type", ""), one.value("values", std::vector<std::string>())});
  }
  for (const json& one : object.value("slots", json::array())) {
    listing.slots.push_back({one.value("name", ""), one.value("type", ""), one.value("value", "")});
  }
  for (const json& one : object.value("left_out", json::array())) {
    listing.left_out.push_back({one.value("signature", ""), one.value("reason", "")});
  }
  return listing;
}

Result<ClassListing> list_class(const ListingRequest& request) {
  const json question = {{"command", "class"},
                         {"headers", request.headers},
                         {"class", request.class_name},
                         {"handle", request.handle},
                         {"c_headers", request.c_headers},
                         {"arguments", request.arguments},
                         {"directory", request.directory},
                         {"values", request.values}};
  const auto done = run_process({request.analyzer}, question.dump(), request.deadline);
  if (!done.is_ok()) return done.status();
  if (done.value().cut) {
    return Status::trouble(fmt::format("{} before the class was listed", request.deadline.reason()),
                           "--time allows more");
  }
  return parse_listing(done.value().output);
}

}  // namespace ravel
