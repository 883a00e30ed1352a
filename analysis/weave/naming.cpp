// SPDX-License-Identifier: Apache-2.0
#include "analysis/weave/naming.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "analysis/weave/insertion.h"

namespace ravel {
namespace {

struct Bytes {
  std::size_t begin = 0;
  std::size_t end = 0;
};

bool find_line(llvm::StringRef text, unsigned line, Bytes& bytes) {
  std::size_t begin = 0;
  for (unsigned at = 1; at < line; ++at) {
    begin = text.find('\n', begin);
    if (begin == llvm::StringRef::npos) return false;
    ++begin;
  }
  bytes = {begin, std::min(text.find('\n', begin), text.size())};
  return true;
}

// Compilers give an operator's column for its left operand.
unsigned distance(unsigned name, unsigned told) { return name <= told ? told - name : 2 * (name - told); }

class Naming {
 public:
  Naming(const ParsedFile& file, const PointFinder& finder, const PlaceToName& wanted)
      : file_(file), finder_(finder), wanted_(wanted) {}

  NamedPlace run() {
    Bytes line;
    if (wanted_.line == 0 || !find_line(file_.text(), wanted_.line, line)) return {};
    std::size_t offset = file_.text().find_first_not_of(" \t\r", line.begin);
    if (wanted_.column > 0) offset = line.begin + wanted_.column - 1;
    if (offset >= line.end) return {};
    // Destructors run at the closing brace, and nothing there has a name.
    if (file_.text()[offset] == '}') return {};
    const FunctionScope* function = finder_.scopes().function_at(static_cast<unsigned>(offset));
    if (function == nullptr) return {};
    const std::vector<NamePoint> points = name_points(file_, *function->function);
    const Bytes within = macro_arguments(points, static_cast<unsigned>(offset)).value_or(line);
    for (const NamePoint* point : by_nearness(points, within, static_cast<unsigned>(offset))) {
      NamedPlace place = named(*function, points, *point);
      if (place.found) return place;
    }
    // A statement of several lines: compilers may give any of them.
    for (const NamePoint& point : points) {
      if (point.name != wanted_.hint || point.is_call != wanted_.is_call || !point.macro.empty()) continue;
      NamedPlace place = named(*function, points, point);
      if (place.found && holds(place.before_span, file_.line(static_cast<unsigned>(offset)),
                               file_.column(static_cast<unsigned>(offset)))) {
        return place;
      }
    }
    return {};
  }

 private:
  static bool holds(const SourceSpan& span, unsigned line, unsigned column) {
    return std::tie(span.begin_line, span.begin_column) <= std::tie(line, column) &&
           std::tie(line, column) <= std::tie(span.end_line, span.end_column);
  }

  // Code from a macro is attributed to the macro's name: then what is meant is in its arguments.
  std::optional<Bytes> macro_arguments(const std::vector<NamePoint>& points, unsigned offset) const {
    const llvm::StringRef text = file_.text();
    std::size_t at = offset;
    while (at < text.size() && (llvm::isAlnum(text[at]) || text[at] == '_')) ++at;
    if (at == offset || at >= text.size() || text[at] != '(') return std::nullopt;
    const auto is_there = [&](const NamePoint& point) { return point.offset == offset && point.macro.empty(); };
    if (std::ranges::any_of(points, is_there)) return std::nullopt;
    int depth = 0;
    for (std::size_t end = at; end < text.size(); ++end) {
      if (text[end] == '(') ++depth;
      if (text[end] == ')' && --depth == 0) return Bytes{at, end};
    }
    return std::nullopt;
  }

  // Best first: what was called or accessed there by its name, then others of its kind, then whatever is nearest.
  std::vector<const NamePoint*> by_nearness(const std::vector<NamePoint>& points, const Bytes& within,
                                            unsigned offset) const {
    std::vector<std::pair<std::tuple<bool, bool, unsigned>, const NamePoint*>> ranked;
    for (const NamePoint& point : points) {
      if (!point.macro.empty() || point.offset < within.begin || point.offset >= within.end) continue;
      const bool hinted = point.is_call == wanted_.is_call && !wanted_.hint.empty() && point.name == wanted_.hint;
      ranked.push_back({{!hinted, point.is_call != wanted_.is_call, distance(point.offset, offset)}, &point});
    }
    std::ranges::stable_sort(ranked, {}, [](const auto& entry) { return entry.first; });
    std::vector<const NamePoint*> sorted;
    sorted.reserve(ranked.size());
    for (const auto& entry : ranked) sorted.push_back(entry.second);
    return sorted;
  }

  NamedPlace named(const FunctionScope& function, const std::vector<NamePoint>& points, const NamePoint& wanted) const {
    unsigned most = 0;
    for (const NamePoint& point : points) most += point.name == wanted.name ? 1 : 0;
    for (const std::string& scope : scope_names(function)) {
      // Overloads with fewer calls may get more later.
      if (finder_.scopes().functions_named(read_scope_name(scope)).size() != 1) continue;
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
