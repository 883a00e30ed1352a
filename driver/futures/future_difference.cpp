// SPDX-License-Identifier: Apache-2.0
#include "driver/futures/future_difference.h"

#include <map>
#include <tuple>

#include <fmt/format.h>

#include "reports/text_report.h"

namespace ravel {
namespace {

constexpr std::size_t kMostTold = 4;

using Who = std::tuple<TaskId, std::string, std::string, std::uint32_t>;

Who who_of(const ObservedExecution& seen, const ObservedEvent& event) {
  return {event.task(), seen.places[event.place].text, seen.variables[event.variable].name, event.read_occurrence};
}

// The write that a read saw: the same one in both executions if all of these fields are equal.
struct SeenWrite {
  std::string place;  // empty: the value before the threads
  TaskId task = kNoTask;
  std::uint32_t occurrence = 0;

  friend bool operator==(const SeenWrite&, const SeenWrite&) = default;
};

SeenWrite write_of(const ObservedExecution& seen, const ObservedEvent& event) {
  if (event.source < 0) return {};
  const ObservedEvent& write = seen.events[static_cast<std::size_t>(event.source)];
  return {seen.places[write.place].text, write.task(), write.write_occurrence};
}

// Only as much as it takes to distinguish it from the other.
std::string write_text(const SeenWrite& write, const SeenWrite& other) {
  if (write.place.empty()) return "the initial value";
  if (write.place != other.place) return write.place;
  if (write.task != other.task) return fmt::format("{} of T{}", write.place, write.task);
  return fmt::format("{} of T{} #{}", write.place, write.task, write.occurrence);
}

bool counts(const ObservedExecution& seen, const ObservedEvent& event) {
  return event.reads && !seen.places[event.place].in_library;
}

}  // namespace

std::string ReadDifference::text() const {
  return fmt::format("{} at {} in T{}{} sees {}, not {}", object.empty() ? "memory" : object, place, task,
                     occurrence > 1 ? fmt::format(" #{}", occurrence) : "", here, there);
}

std::vector<ReadDifference> differences(const ObservedExecution& here, const ObservedExecution& there) {
  std::map<Who, SeenWrite> its;
  for (const ObservedEvent& event : there.events) {
    if (counts(there, event)) its[who_of(there, event)] = write_of(there, event);
  }
  std::vector<ReadDifference> result;
  for (const ObservedEvent& event : here.events) {
    if (!counts(here, event)) continue;
    const Who who = who_of(here, event);
    const auto other = its.find(who);
    const SeenWrite write = write_of(here, event);
    if (other == its.end() || other->second == write) continue;
    result.push_back({event.task(), std::get<1>(who), std::get<2>(who), event.read_occurrence,
                      write_text(write, other->second), write_text(other->second, write)});
  }
  return result;
}

std::optional<NearestPassing> nearest_passing(const std::vector<PerformedExecution>& all, std::size_t failing) {
  std::optional<NearestPassing> best;
  for (std::size_t other = 0; other < all.size(); ++other) {
    if (!all[other].findings.empty()) continue;
    auto reads = differences(all[failing].seen, all[other].seen);
    if (reads.empty() || (best && reads.size() >= best->reads.size())) continue;
    best = NearestPassing{other, std::move(reads)};
  }
  return best;
}

std::string differences_text(const std::vector<ReadDifference>& reads) {
  std::string text;
  for (std::size_t i = 0; i < reads.size() && i < kMostTold; ++i) {
    text += (text.empty() ? "" : "; ") + reads[i].text();
  }
  if (reads.size() > kMostTold) text += fmt::format("; and {}", counted(reads.size() - kMostTold, "more read"));
  return text;
}

}  // namespace ravel
