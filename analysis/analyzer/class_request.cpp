// SPDX-License-Identifier: Apache-2.0
#include "analysis/analyzer/class_request.h"

#include <nlohmann/json.hpp>

#include "analysis/classes/class_lister.h"

namespace ravel {
namespace {

using nlohmann::json;

constexpr const char* kKinds[] = {"constructor",  "pointer-factory", "reference-factory", "value-factory",
                                  "handle-maker", "method",          "function"};

json to_json(const ClassListing& listing) {
  json object = {
      {"ok", true}, {"class", listing.name}, {"handle", listing.handle}, {"declarations", listing.declarations}};
  object["operations"] = json::array();
  for (const ListedOperation& one : listing.operations) {
    object["operations"].push_back({{"kind", kKinds[static_cast<unsigned>(one.kind)]},
                                    {"name", one.name},
                                    {"call", one.call},
                                    {"signature", one.signature},
                                    {"pools", one.pools},
                                    {"const", one.is_const},
                                    {"instance", one.is_instance},
                                    {"before", one.before},
                                    {"result", one.result}});
  }
  object["pools"] = json::array();
  for (const ListedPool& one : listing.pools) object["pools"].push_back({{"type", one.type}, {"values", one.values}});
  object["slots"] = json::array();
  for (const ListedSlot& one : listing.slots) {
    object["slots"].push_back({{"name", one.name}, {"type", one.type}, {"value", one.value}});
  }
  object["left_out"] = json::array();
  for (const LeftOut& one : listing.left_out) {
    object["left_out"].push_back({{"signature", one.signature}, {"reason", one.reason}});
  }
  return object;
}

std::string written(const json& object) { return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n"; }

std::string refused(const std::string& message, const std::string& hint) {
  const json error = {{"origin", ""}, {"message", message}, {"hint", hint}};
  return written({{"ok", false}, {"errors", json::array({error})}});
}

}  // namespace

bool is_class_request(const std::string& text) {
  const json object = json::parse(text, nullptr, false);
  return object.is_object() && object.contains("command") && object["command"] == "class";
}

std::string answer_class(const std::string& text, bool& ok) {
  ok = false;
  const json request = json::parse(text, nullptr, false);
  ClassQuestion question;
  try {
    question.headers = request.at("headers").get<std::vector<std::string>>();
    question.class_name = request.at("class").get<std::string>();
    question.handle = request.value("handle", false);
    question.c_headers = request.value("c_headers", false);
    question.arguments = request.value("arguments", std::vector<std::string>());
    question.directory = request.value("directory", "");
    question.values = request.value("values", std::map<std::string, std::vector<std::string>>());
  } catch (const json::exception& error) {
    return refused(error.what(), "docs/formats/analyzer.md shows a request.");
  }
  std::vector<CompilerError> errors;
  const ClassListing listing = list_class(question, errors);
  // An error in a header comes before everything that follows from it.
  for (const CompilerError& error : errors) {
    if (error.in_file && listing.name.empty()) continue;  // the class is not there: said below
    if (error.path.empty() || error.in_file) continue;
    return refused(error.path + ":" + std::to_string(error.line) + ": " + error.message,
                   "Give the options that the header is compiled with.");
  }
  if (!listing.error.empty()) return refused(listing.error, "");
  ok = true;
  return written(to_json(listing));
}

}  // namespace ravel
