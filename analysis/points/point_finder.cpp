// SPDX-License-Identifier: Apache-2.0
#include "analysis/points/point_finder.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "analysis/points/nearest.h"

namespace ravel {
namespace {

bool fail(Problem& problem, std::string message, std::string hint) {
  problem.message = std::move(message);
  problem.hint = std::move(hint);
  return false;
}

std::string ordinal(unsigned n) {
  const unsigned tens = n % 100;
  const char* ending = "th";
  if (tens < 11 || tens > 13) {
    if (n % 10 == 1) ending = "st";
    if (n % 10 == 2) ending = "nd";
    if (n % 10 == 3) ending = "rd";
  }
  return std::to_string(n) + ending;
}

// "src/list.cpp" ends "/home/u/src/list.cpp", "ist.cpp" does not.
bool ends_path(const std::string& whole, const std::string& end) {
  if (end.empty() || whole == end) return true;
  std::string normal = std::filesystem::path(end).lexically_normal().string();
  while (normal.starts_with("../")) normal = normal.substr(3);
  if (normal.starts_with("/")) return whole == normal;
  return whole.ends_with("/" + normal);
}

bool names(const NamePoint& point, const PointName& wanted) {
  const bool is_call = !wanted.call.empty();
  if (point.is_call != is_call) return false;
  std::string name = is_call ? wanted.call : wanted.access;
  if (name.starts_with("this->")) name = name.substr(6);
  const std::size_t colons = name.rfind("::");
  if (colons == std::string::npos) return point.name == name;
  if (point.qualified.empty()) return point.name == name.substr(colons + 2);
  return point.qualified == name || point.qualified.ends_with("::" + name);
}

}  // namespace

PointFinder::PointFinder(ParsedFile& file, std::string path, const std::string& prefix)
    : file_(file), path_(std::move(path)), prefix_(prefix), scopes_(file), comments_(comment_points(file, prefix)) {}

std::string PointFinder::at(unsigned offset) const {
  return std::filesystem::path(path_).filename().string() + ":" + std::to_string(file_.line(offset));
}

std::string PointFinder::in_function(unsigned offset) const {
  const FunctionScope* function = scopes_.function_at(offset);
  return at(offset) + (function == nullptr ? "" : " (" + function->signature + ")");
}

bool PointFinder::find(const PointName& name, FoundPoint& found, Problem& problem) const {
  if (!ends_path(path_, name.path)) {
    return fail(problem, "The point is in " + name.path + ", but the file is " + path_ + ".",
                "Give the end of the file's path.");
  }
  if (name.line != 0) return find_line(name, found, problem);
  if (!name.call.empty() || !name.access.empty()) return find_name(name, found, problem);
  return find_comment(name, found, problem);
}

bool PointFinder::find_comment(const PointName& name, FoundPoint& found, Problem& problem) const {
  std::vector<const CommentPoint*> in_scope;
  if (name.scope.empty()) {
    for (const CommentPoint& comment : comments_) in_scope.push_back(&comment);
  } else {
    const ScopeName scope = read_scope_name(name.scope);
    const std::vector<const FunctionScope*> functions = scopes_.functions_named(scope);
    bool known = !functions.empty();
    for (const CommentPoint& comment : comments_) {
      const FunctionScope* function = scopes_.function_at(comment.offset);
      const bool in_class = scopes_.in_class_named(scope, comment.offset);
      known = known || in_class;
      if (in_class || std::ranges::find(functions, function) != functions.end()) in_scope.push_back(&comment);
    }
    if (!known) return no_such_scope(name, true, problem);
  }
  std::vector<const CommentPoint*> matches;
  for (const CommentPoint* comment : in_scope) {
    if (comment->number == name.number) matches.push_back(comment);
  }
  // Code that #if excludes is another version of the source: it counts only if there is nothing else.
  if (std::ranges::any_of(matches, [](const CommentPoint* comment) { return !comment->left_out; })) {
    std::erase_if(matches, [](const CommentPoint* comment) { return comment->left_out; });
  }
  const std::string what = "\"" + prefix_ + " " + std::to_string(name.number) + "\"";
  if (matches.empty()) return no_such_number(name, in_scope, problem);
  if (matches.size() > 1) {
    std::vector<std::string> places;
    places.reserve(matches.size());
    for (const CommentPoint* comment : matches) places.push_back(in_function(comment->offset));
    return fail(problem,
                "The point " + what + (name.scope.empty() ? "" : " of " + name.scope) + " occurs " +
                    std::to_string(matches.size()) + " times: " + listed(places, "and") + ".",
                "Name the function with enough qualifiers or parameters to make it unique, or give the comments "
                "different numbers.");
  }
  const CommentPoint& comment = *matches.front();
  if (comment.in_directive) {
    return fail(problem,
                "The point " + what + " at " + at(comment.offset) + " is inside " +
                    (comment.macro.empty() ? std::string("a preprocessor line")
                                           : "the definition of the macro " + comment.macro) +
                    ", where no action can go.",
                "Put the comment next to the macro's use, or write the code as a function.");
  }
  if (comment.left_out) {
    return fail(problem, "The point " + what + " at " + at(comment.offset) + " is in code that #if excludes.",
                "Compile the file with the options that include this code, or move the comment.");
  }
  const FunctionScope* function = scopes_.function_at(comment.offset);
  if (function == nullptr) {
    return fail(problem, "The point " + what + " at " + at(comment.offset) + " is outside any function.",
                "Move the comment to a place where a statement can go.");
  }
  found = {PointKind::comment, comment.offset, function};
  return true;
}

bool PointFinder::no_such_scope(const PointName& name, bool with_comments, Problem& problem) const {
  std::vector<std::string> marked;
  std::vector<std::string> all;
  const bool signature = name.scope.find('(') != std::string::npos;
  for (const FunctionScope& function : scopes_.functions()) {
    all.push_back(signature ? function.signature : function.name);
  }
  if (with_comments) {
    for (const CommentPoint& comment : comments_) {
      const FunctionScope* function = scopes_.function_at(comment.offset);
      if (function != nullptr) marked.push_back(signature ? function->signature : function->name);
    }
  }
  const std::vector<std::string> near = nearest(name.scope, marked.empty() ? all : marked);
  const std::string file = std::filesystem::path(path_).filename().string();
  return fail(problem, file + " defines no function or class " + name.scope + ".",
              near.empty() ? file + " defines no functions at all." : "Nearest: " + listed(near) + ".");
}

bool PointFinder::no_such_number(const PointName& name, const std::vector<const CommentPoint*>& in_scope,
                                 Problem& problem) const {
  const std::string file = std::filesystem::path(path_).filename().string();
  const std::string message = (name.scope.empty() ? file : name.scope + " in " + file) + " has no point \"" + prefix_ +
                              " " + std::to_string(name.number) + "\".";
  std::vector<std::string> there;
  there.reserve(in_scope.size());
  for (const CommentPoint* comment : in_scope) {
    there.push_back(std::to_string(comment->number) + " at " + in_function(comment->offset));
  }
  if (!there.empty()) {
    if (there.size() > 5) there.resize(5);
    return fail(problem, message, "Its points: " + listed(there, "and") + ".");
  }
  std::vector<std::string> marked;
  for (const CommentPoint& comment : comments_) {
    const FunctionScope* function = scopes_.function_at(comment.offset);
    if (function != nullptr) marked.push_back(function->name + " " + std::to_string(comment.number));
  }
  const std::vector<std::string> near = nearest(name.scope + " " + std::to_string(name.number), marked);
  return fail(problem, message,
              near.empty() ? "The file has no points: write /* " + prefix_ + " " + std::to_string(name.number) +
                                 " */ where the action should go."
                           : "Nearest: " + listed(near) + ".");
}

bool PointFinder::find_line(const PointName& name, FoundPoint& found, Problem& problem) const {
  const llvm::StringRef text = file_.text();
  std::size_t begin = 0;
  unsigned line = 1;
  for (; line < name.line && begin != llvm::StringRef::npos; ++line) {
    begin = text.find('\n', begin);
    if (begin != llvm::StringRef::npos) ++begin;
  }
  const std::string file = std::filesystem::path(path_).filename().string();
  if (begin == llvm::StringRef::npos || begin >= text.size()) {
    return fail(problem, file + " has no line " + std::to_string(name.line) + ".",
                "It has " + std::to_string(file_.line(static_cast<unsigned>(text.size()))) + " lines.");
  }
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  std::size_t first = text.find_first_not_of(" \t\r\f\v", begin);
  if (first == llvm::StringRef::npos || first > end) first = end;
  const auto offset = static_cast<unsigned>(first);
  if (file_.left_out(offset)) {
    return fail(problem, file + ":" + std::to_string(name.line) + " is in code that #if excludes.",
                "Compile the file with the options that include this code, or name another line.");
  }
  const FunctionScope* function = scopes_.function_at(offset);
  if (function == nullptr) {
    std::vector<std::pair<unsigned, std::string>> around;
    for (const FunctionScope& scope : scopes_.functions()) {
      const unsigned top = file_.line(scope.begin);
      const unsigned bottom = file_.line(scope.end);
      around.emplace_back(top > name.line ? top - name.line : name.line - bottom,
                          scope.name + " (lines " + std::to_string(top) + " to " + std::to_string(bottom) + ")");
    }
    std::ranges::stable_sort(around);
    std::vector<std::string> near;
    for (const auto& [distance, text_of] : around) {
      if (near.size() < 2) near.push_back(text_of);
    }
    return fail(problem, file + ":" + std::to_string(name.line) + " is not in a function.",
                near.empty() ? file + " defines no functions at all." : "Nearest: " + listed(near) + ".");
  }
  found = {PointKind::line, offset, function};
  return true;
}

bool PointFinder::find_name(const PointName& name, FoundPoint& found, Problem& problem) const {
  if (name.scope.empty()) {
    return fail(problem, "A call or access is counted within a function, and none is named.",
                "Name the function before it: at FILE FUNCTION call 1 of NAME.");
  }
  const std::vector<const FunctionScope*> functions = scopes_.functions_named(read_scope_name(name.scope));
  if (functions.empty()) return no_such_scope(name, false, problem);
  struct Match {
    const FunctionScope* function;
    NamePoint point;
  };
  std::vector<Match> matches;
  for (const FunctionScope* function : functions) {
    unsigned count = 0;
    for (NamePoint& point : name_points(file_, *function->function)) {
      if (names(point, name) && ++count == name.nth) matches.push_back({function, std::move(point)});
    }
  }
  const std::string what =
      (name.call.empty() ? "access to " + name.access : "call of " + name.call) + " in " + name.scope;
  if (matches.empty()) return no_such_name(name, functions, problem);
  if (matches.size() > 1) {
    std::vector<std::string> places;
    places.reserve(matches.size());
    for (const Match& match : matches)
      places.push_back(at(match.point.offset) + " (" + match.function->signature + ")");
    return fail(problem,
                "There is more than one " + ordinal(name.nth) + " " + what + ": " + listed(places, "and") + ".",
                "Name the function with enough qualifiers or parameters to make it unique.");
  }
  const Match& match = matches.front();
  if (!match.point.macro.empty()) {
    return fail(problem,
                "The " + ordinal(name.nth) + " " + what + " comes from the macro " + match.point.macro + " at " +
                    at(match.point.offset) + ", where no action can go.",
                "Put a comment /* " + prefix_ + " N */ next to the macro's use, or name its line.");
  }
  found = {PointKind::name, match.point.offset, match.function};
  return true;
}

bool PointFinder::no_such_name(const PointName& name, const std::vector<const FunctionScope*>& functions,
                               Problem& problem) const {
  const bool is_call = !name.call.empty();
  const std::string& wanted = is_call ? name.call : name.access;
  std::map<std::string, unsigned> counts;
  unsigned most = 0;
  for (const FunctionScope* function : functions) {
    unsigned count = 0;
    for (const NamePoint& point : name_points(file_, *function->function)) {
      if (point.is_call == is_call) ++counts[point.name];
      if (names(point, name)) ++count;
    }
    most = std::max(most, count);
  }
  const std::string file = std::filesystem::path(path_).filename().string();
  const std::string does = is_call ? " calls " : " accesses ";
  if (most > 0) {
    return fail(problem,
                name.scope + " in " + file + does + wanted + " " + std::to_string(most) +
                    (most == 1 ? " time" : " times") + ", not " + std::to_string(name.nth) + ".",
                "Give a number from 1 to " + std::to_string(most) + ".");
  }
  std::vector<std::string> others;
  others.reserve(counts.size());
  for (const auto& [other, count] : counts) others.push_back(other);
  const std::vector<std::string> near = nearest(wanted, others);
  return fail(problem,
              name.scope + " in " + file + (is_call ? " has no call of " : " has no access to ") + wanted + ".",
              near.empty() ? "It has no " + std::string(is_call ? "calls" : "accesses") + " at all."
                           : "Nearest: " + listed(near) + ".");
}

}  // namespace ravel
