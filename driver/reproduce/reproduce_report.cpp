// SPDX-License-Identifier: Apache-2.0
#include "driver/reproduce/reproduce_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/json_report.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

std::string place_text(const StackPlace& place) {
  if (place.line == 0) return place.function;
  return fmt::format("{}  {}:{}", place.function, base_name(place.file), place.line);
}

// The stack of the finding that is nearest to the crash.
std::vector<StackPlace> matched_places(const CrashTarget& target, const ResolvedFinding& finding) {
  std::vector<StackPlace> best;
  StackMatch match = StackMatch::none;
  for (const ResolvedStack& stack : finding.stacks) {
    std::vector<StackPlace> places = places_of(stack.whole.empty() ? stack.frames : stack.whole);
    const StackMatch now = target.match(places);
    if (now <= match) continue;
    match = now;
    places.resize(target.places.size());
    best = std::move(places);
  }
  return best;
}

std::string text_of_left_out(const ClassListing& listing) {
  if (listing.left_out.empty()) return "";
  std::string text = "Left out of the search:\n";
  for (const OperationLeftOut& one : listing.left_out) text += fmt::format("  {}: {}\n", one.signature, one.reason);
  return text;
}

std::string text_of_pruned(const SearchCounts& counts) {
  std::string text;
  for (std::size_t i = 0; i < kPrunings; ++i) {
    const auto pruning = static_cast<Pruning>(i);
    text += fmt::format("  {:>8}  {:<13} {}\n", counts.pruned[i], pruning_name(pruning), pruning_sentence(pruning));
  }
  return text + fmt::format("  {:>8}  explored\n", counts.explored);
}

// What the user can do about it, the likeliest reason first.
std::string advice_of(const Reproduction& result) {
  const SearchCounts& counts = result.counts;
  const CrashTarget& target = result.target;
  if (counts.prefixes == 0 && !counts.constructor_troubles.empty()) {
    std::string text = "No object could be made:\n";
    for (const std::string& trouble : counts.constructor_troubles) text += fmt::format("  {}\n", trouble);
    const bool threads =
        std::any_of(counts.constructor_troubles.begin(), counts.constructor_troubles.end(),
                    [](const std::string& t) { return t.find("starts threads") != std::string::npos; });
    return text + (threads
                       ? "A class that starts threads cannot be searched this way: write a test by hand and give it to "
                         "ravel run.\n"
                       : "Values that its constructor accepts help: --values FILE\n");
  }
  std::string text;
  if (counts.deepest < target.places.size()) {
    text += "Never reached, with any prefix and any values:\n";
    for (std::size_t i = 0; i + counts.deepest < target.places.size(); ++i) {
      text += fmt::format("  #{} {}\n", i, place_text(target.places[i]));
    }
    text +=
        "Values that lead there help (--values FILE), or a longer prefix (--longest N). Is the source the one that "
        "crashed?\n";
  } else if (counts.explored == 0) {
    text += "The place of the crash is reached, but every test was ruled out; --without NAME switches a rule off.\n";
  } else {
    text +=
        "Tests reached the place of the crash, and none of their schedules failed there. --longest N tries longer "
        "prefixes, --values FILE adds values, --executions N explores more schedules of each test, --threads 3 and "
        "--suffix 2 try larger tests.\n";
  }
  return text;
}

std::string text_of_side(const Reproduction& result, const CrashTarget& target) {
  const std::vector<StackPlace>& wanted = target.places;
  const std::vector<StackPlace> got =
      result.finding ? matched_places(target, result.finding->finding) : std::vector<StackPlace>();
  std::size_t width = 9;
  for (const StackPlace& place : wanted) width = std::max(width, place_text(place).size());
  std::string text = fmt::format("     {:<{}}   {}\n", "the crash", width, got.empty() ? "" : "the test");
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    text +=
        fmt::format("  #{:<2}{:<{}}   {}\n", i, place_text(wanted[i]), width, i < got.size() ? place_text(got[i]) : "");
  }
  return text;
}

}  // namespace

std::string text_of_stacks(const Reproduction& result) {
  std::string text = text_of_side(result, result.target);
  if (result.target.is_deadlock()) text += "\n" + text_of_side(result, result.target.from_other_side());
  return text;
}

std::string text_of_reproduction(const Reproduction& result) {
  const SearchCounts& counts = result.counts;
  const std::string effort = fmt::format("{} explored, {} in {:.1f} s ({:.1f} s compiling, {:.1f} s searching)",
                                         counted(counts.explored, "test"), counted(result.executions, "execution"),
                                         result.seconds, result.compile_seconds, result.search_seconds);
  if (result.reproduced()) {
    std::string text = text_of_stacks(result);
    if (result.target.failure.kind && *result.target.failure.kind != result.finding->finding.kind) {
      text += fmt::format("The crash was reported as {}, the test fails with {}.\n",
                          finding_name(*result.target.failure.kind), finding_name(result.finding->finding.kind));
    }
    if (result.match != StackMatch::exact) text += "The same functions, but the failure is at another line.\n";
    text += fmt::format("\nReproduced by a test of {}: {}\n", counted(result.test_calls, "call"), effort);
    text += fmt::format("  test      {}\n  schedule  {}: {}\n", result.test_file, result.schedule,
                        result.repeats == 0 ? "there was no time to replay it"
                                            : fmt::format("{} of {} replays show it", result.replays, result.repeats));
    return text + text_of_left_out(result.listing);
  }
  if (result.unverified) {
    return fmt::format(
        "Not verified, {}: {}\nA test of {} crashed in the harness. It is written, and no schedule of it yet:\n"
        "  test      {}\n  build it  {}\n",
        result.cut, effort, counted(result.test_calls, "call"), result.test_file, result.build_command);
  }
  std::string text = fmt::format("Not reproduced{}: {}\n", result.cut.empty() ? "" : ", " + result.cut, effort);
  text += fmt::format("\n{} {} of up to {}; of {} of a prefix and two calls:\n", counts.prefixes,
                      counts.prefixes == 1 ? "prefix" : "prefixes",
                      counted(std::max<std::size_t>(1, counts.levels), "call"),
                      counted(counts.combinations, "combination"));
  text += text_of_pruned(counts) + "\n" + (result.cut.empty() ? advice_of(result) : "");
  return text + text_of_left_out(result.listing);
}

std::string json_of_reproduction(const Reproduction& result) {
  using Json = nlohmann::ordered_json;
  Json object = {{"ravel", kRavelVersion},
                 {"command", "reproduce"},
                 {"reproduced", result.reproduced()},
                 {"class", result.listing.name},
                 {"method", result.crashing.method},
                 {"seconds", result.seconds},
                 {"compile_seconds", result.compile_seconds},
                 {"search_seconds", result.search_seconds},
                 {"sequences", result.sequences},
                 {"combinations", result.counts.combinations},
                 {"prefixes", result.counts.prefixes},
                 {"tests_explored", result.counts.explored},
                 {"executions", result.executions},
                 {"complete", result.counts.exhausted},
                 {"unverified", result.unverified}};
  Json pruned = Json::object();
  for (std::size_t i = 0; i < kPrunings; ++i) {
    pruned[pruning_key(static_cast<Pruning>(i))] = result.counts.pruned[i];
  }
  object["pruned"] = pruned;
  object["stack"] = Json::array();
  for (const StackPlace& place : result.target.places) {
    object["stack"].push_back({{"function", place.function}, {"file", place.file}, {"line", place.line}});
  }
  object["reached"] = result.counts.deepest;
  object["left_out"] = Json::array();
  for (const OperationLeftOut& one : result.listing.left_out) {
    object["left_out"].push_back({{"signature", one.signature}, {"reason", one.reason}});
  }
  if (result.reproduced() || result.unverified) {
    object["test_calls"] = result.test_calls;
    object["test"] = result.test_file;
  }
  if (result.reproduced()) {
    object["schedule"] = result.schedule;
    object["exact"] = result.match == StackMatch::exact;
    object["same_kind"] = !result.target.failure.kind || *result.target.failure.kind == result.finding->finding.kind;
    object["replays"] = {{"repeats", result.repeats}, {"reported", result.replays}};
    object["findings"] = Json::array({Json::parse(json_of_finding(*result.finding))});
  }
  return object.dump(2) + "\n";
}

}  // namespace ravel
