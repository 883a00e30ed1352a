// SPDX-License-Identifier: Apache-2.0
#include "analysis/weave/naming.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "analysis/weave/insertion.h"

namespace ravel {
namespace {

struct LineBytes {
  std::size_t begin = 0;
  std::size_t end = 0;
};

bool find_line(llvm::StringRef text, unsigned line, LineBytes& bytes) {
  std::size_t begin = 0;
  for (unsigned at = 1; at < line; ++at) {
    begin = text.find('\n', begin);
    if (begin == llvm::StringRef::npos) return false;
    ++begin;
  }
  bytes = {begin, std::min(text.find('\n', begin), text.size())};
  return true;
}

// Compilers tell an operator's column for what stands to the left of it.
unsigned distance(unsigned name, unsigned told) { return name <= told ? told - name : 2 * (name - told); }

class Naming {
 public:
  Naming(const ParsedFile& file, const PointFinder& finder, const PlaceToName& wanted)
      : file_(file), finder_(finder), wanted_(wanted) {}

  NamedPlace run() {
    LineBytes line;
    if (wanted_.line == 0 || !find_line(file_.text(), wanted_.line, line)) return {};
    std::size_t offset = file_.text().find_first_not_of(" \t\r", line.begin);
    if (wanted_.column > 0) offset = line.begin + wanted_.column - 1;
    if (offset >= line.end) return {};
    // Destructors run at the closing brace, and nothing there has a name.
    if (file_.text()[offset] == '}') return {};
    const FunctionScope* function = finder_.scopes().function_at(static_cast<unsigned>(offset));
    if (function == nullptr) return {};
    const std::vector<NamePoint> points = name_points(file_, *function->function);
    for (const NamePoint* point : by_nearness(points, line, static_cast<unsigned>(offset))) {
      NamedPlace place = named(*function, points, *point);
      if (place.found) return place;
    }
    return {};
  }

 private:
  // Best first: what was called or accessed there by its name, then others of its kind, then whatever is nearest.
  std::vector<const NamePoint*> by_nearness(const std::vector<NamePoint>& points, const LineBytes& line,
                                            unsigned offset) const {
    std::vector<std::pair<std::tuple<bool, bool, unsigned>, const NamePoint*>> ranked;
    for (const NamePoint& point : points) {
      if (!point.macro.empty() || point.offset < line.begin || point.offset >= line.end) continue;
      const bool hinted = point.is_call == wanted_.is_call && !wanted_.hint.empty() && point.name == wanted_.hint;
      ranked.push_back({{!hinted, point.is_call != wanted_.is_call, distance(point.offset, offset)}, &point});
    }
    std::ranges::stable_sort(ranked, {}, [](const auto& entry) { return entry.first; });
    std::vector<const NamePoint*> sorted;
    for (const auto& entry : ranked) sorted.push_back(entry.second);
    return sorted;
  }

  NamedPlace named(const FunctionScope& function, const std::vector<NamePoint>& points, const NamePoint& wanted) const {
    unsigned most = 0;
    for (const NamePoint& point : points) most += point.name == wanted.name ? 1 : 0;
    for (const std::string& scope : scope_names(function)) {
      for (unsigned nth = 1; nth <= most; ++nth) {
        NamedPlace place;
        place.point.scope = scope;
        (wanted.is_call ? place.point.call : place.point.access) = wanted.name;
        place.point.nth = nth;
        FoundPoint found;
        Problem ignored;
        if (!finder_.find(place.point, found, ignored) || found.offset != wanted.offset) continue;
        describe(found, function, place);
        return place;
      }
    }
    return {};
  }

  // "add", "List::add", "ns::List::add", and then the same with parameters.
  static std::vector<std::string> scope_names(const FunctionScope& function) {
    std::vector<std::string> names;
    std::string name;
    for (auto part = function.path.rbegin(); part != function.path.rend(); ++part) {
      name = name.empty() ? part->name : part->name + "::" + name;
      names.push_back(name);
    }
    const std::size_t parameters = function.name.size();
    if (parameters > function.signature.size()) return names;
    const std::size_t count = names.size();
    for (std::size_t i = 0; i < count; ++i) names.push_back(names[i] + function.signature.substr(parameters));
    return names;
  }

  void describe(const FoundPoint& found, const FunctionScope& function, NamedPlace& place) const {
    Insertion before;
    Insertion after;
    Problem ignored;
    place.before = ravel::place(file_, found, false, before, ignored);
    place.after = ravel::place(file_, found, true, after, ignored);
    place.found = place.before || place.after;
    place.line = file_.line(found.offset);
    place.column = file_.column(found.offset);
    place.function = function.name;
    place.before_span = span_of(before);
    place.after_span = span_of(after);
  }

  SourceSpan span_of(const Insertion& insertion) const {
    const unsigned last = insertion.end > insertion.begin ? insertion.end - 1 : insertion.end;
    return {file_.line(insertion.begin), file_.column(insertion.begin), file_.line(last), file_.column(last)};
  }

  const ParsedFile& file_;
  const PointFinder& finder_;
  const PlaceToName& wanted_;
};

}  // namespace

NamedPlace name_place(const ParsedFile& file, const PointFinder& finder, const PlaceToName& wanted) {
  return Naming(file, finder, wanted).run();
}

}  // namespace ravel
