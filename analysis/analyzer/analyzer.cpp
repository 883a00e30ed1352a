// SPDX-License-Identifier: Apache-2.0
#include "analysis/analyzer/analyzer.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "analysis/points/point_finder.h"
#include "analysis/weave/action_text.h"
#include "analysis/weave/weaver.h"

namespace ravel {
namespace {

std::string sentence(const CompilerError& error) {
  return error.path.empty() ? error.message : error.path + ":" + std::to_string(error.line) + ": " + error.message;
}

// The file on disk, with the place of each action.
struct Placed {
  std::string text;
  std::vector<PlacedAction> actions;
  std::vector<unsigned> functions;  // names of the functions that have actions, and of those around them
  bool in_template = false;         // one of them is
};

class Answering {
 public:
  explicit Answering(const AnalyzerRequest& request) : request_(request) {}

  AnalyzerAnswer run() {
    const std::filesystem::path file = request_.source.file;
    if (!std::filesystem::is_regular_file(file) || !std::filesystem::is_regular_file(request_.source.main)) {
      const bool main = std::filesystem::is_regular_file(file);
      problem("", "There is no file " + (main ? request_.source.main : file.string()) + ".", "Check the path.");
      return std::move(answer_);
    }
    answer_.include_directory = file.parent_path().string();
    std::vector<CompilerError> errors;
    // Only functions that actions name need bodies. If a point is missing, the whole file is parsed to suggest the
    // nearest.
    ParseInput input = request_.source;
    if (!request_.naming) input.keeps_body = named_functions();
    const auto find = [this](ParsedFile& parsed) { request_.naming ? name_all(parsed) : find_all(parsed); };
    bool seen = parse(input, find, errors);
    if (input.keeps_body && !answer_.errors.empty()) {
      answer_.errors.clear();
      errors.clear();
      seen = parse(request_.source, find, errors);
    }
    const auto fatal = std::ranges::find_if(errors, &CompilerError::fatal);
    if (!seen || fatal != errors.end()) {
      answer_.errors.clear();
      const std::string why = fatal != errors.end() ? sentence(*fatal)
                              : errors.empty()      ? request_.source.main + " does not include it."
                                                    : sentence(errors.front());
      problem("", "Clang cannot read " + file.string() + ": " + why,
              "Give the options the file is really compiled with.");
      return std::move(answer_);
    }
    // A point that is missing from a file with errors may be missing because of them.
    if (!answer_.errors.empty() && !errors.empty()) {
      for (Problem& trouble : answer_.errors) trouble.hint += " Clang also reports " + sentence(errors.front());
    }
    if (answer_.errors.empty() && !request_.naming) finish(errors);
    return std::move(answer_);
  }

 private:
  // Empty when an action names no function.
  std::function<bool(const clang::FunctionDecl&, unsigned)> named_functions() const {
    std::vector<ScopeName> scopes;
    for (const Action& action : request_.actions) {
      if (action.point.scope.empty()) return nullptr;
      scopes.push_back(read_scope_name(action.point.scope));
    }
    for (const Place& place : request_.places) {
      if (place.point.scope.empty()) return nullptr;
      scopes.push_back(read_scope_name(place.point.scope));
    }
    return [scopes](const clang::FunctionDecl& function, unsigned) {
      // Within another function, that one's body decides.
      if (function.getParentFunctionOrMethod() != nullptr) return true;
      return std::ranges::any_of(scopes, [&](const ScopeName& scope) { return has_name(function, scope); });
    };
  }

  void problem(const std::string& origin, const std::string& message, const std::string& hint) {
    answer_.errors.push_back({origin, message, hint});
  }

  void name_all(ParsedFile& parsed) {
    answer_.names.clear();
    const PointFinder finder(parsed, request_.source.file, request_.prefix);
    for (const PlaceToName& place : request_.unnamed) answer_.names.push_back(name_place(parsed, finder, place));
  }

  void find_all(ParsedFile& parsed) {
    placed_ = Placed();
    placed_.text = parsed.text().str();
    answer_.points.clear();
    answer_.places.clear();
    const PointFinder finder(parsed, request_.source.file, request_.prefix);
    const std::string name = std::filesystem::path(request_.source.file).filename().string();
    for (const Action& action : request_.actions) {
      Problem trouble;
      trouble.origin = action.origin;
      FoundPoint point;
      PlacedAction placed;
      if (!is_one_expression(action, trouble) || !finder.find(action.point, point, trouble) ||
          !place(parsed, point, action.after, placed.insertion, trouble)) {
        answer_.errors.push_back(std::move(trouble));
        continue;
      }
      const unsigned line = parsed.line(point.offset);
      placed.text = action_text(action, name + ":" + std::to_string(line));
      placed_.actions.push_back(std::move(placed));
      answer_.points.push_back(located(parsed, point, action.origin));
      remember_functions(parsed, *point.function->function);
      placed_.in_template = placed_.in_template || point.function->function->isTemplated();
    }
    for (const Place& place : request_.places) {
      Problem trouble;
      trouble.origin = place.origin;
      FoundPoint point;
      if (finder.find(place.point, point, trouble)) {
        answer_.places.push_back(located(parsed, point, place.origin));
      } else {
        answer_.errors.push_back(std::move(trouble));
      }
    }
  }

  static LocatedPoint located(const ParsedFile& parsed, const FoundPoint& point, const std::string& origin) {
    return {origin,
            parsed.line(point.offset),
            parsed.column(point.offset),
            statement_lines(parsed, point),
            {parsed.line(point.function->begin), parsed.line(point.function->end)},
            point.function->name,
            point.function->signature};
  }

  void remember_functions(const ParsedFile& parsed, const clang::FunctionDecl& function) {
    for (const clang::Decl* at = &function; at != nullptr && !llvm::isa<clang::TranslationUnitDecl>(at);
         at = clang::Decl::castFromDeclContext(at->getLexicalDeclContext())) {
      unsigned offset = 0;
      if (llvm::isa<clang::FunctionDecl>(at) && parsed.begins_here(at->getLocation(), offset)) {
        placed_.functions.push_back(offset);
      }
    }
  }

  void finish(const std::vector<CompilerError>& before) {
    WovenFile woven = weave(placed_.text, placed_.actions);
    // A byte order mark is only legal as a file's first bytes.
    if (woven.text.starts_with("\xEF\xBB\xBF")) woven.text.replace(0, 3, "   ");
    check(woven, before);
    if (!answer_.errors.empty() || !request_.write) return;
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(request_.out).parent_path(), ignored);
    std::ofstream out(request_.out, std::ios::binary | std::ios::trunc);
    out << woven_head(request_.source.file) << woven.text;
    out.close();
    if (!out) problem("", "Cannot write the woven copy " + request_.out + ".", "Check the directory.");
  }

  // Parses the copy in memory. Only functions with actions keep their bodies: only there can the inserted code be
  // wrong.
  void check(const WovenFile& woven, const std::vector<CompilerError>& before) {
    if (placed_.actions.empty()) return;
    const std::string head = checked_head(request_.source.file);
    ParseInput input = request_.source;
    input.replaced = true;
    input.replacement = head + woven.text;
    std::set<unsigned> functions;
    for (const unsigned offset : placed_.functions) {
      functions.insert(static_cast<unsigned>(head.size()) + woven.moved(offset));
    }
    // A template's types come from its uses, which may be in any function.
    input.instantiates = placed_.in_template;
    if (!placed_.in_template) {
      input.keeps_body = [&](const clang::FunctionDecl&, unsigned offset) { return functions.contains(offset); };
    }
    std::vector<CompilerError> errors;
    parse(input, nullptr, errors);
    std::set<std::string> known;
    for (const CompilerError& error : before) known.insert(sentence(error));
    std::set<std::size_t> told;
    for (const CompilerError& error : errors) {
      if (known.contains(sentence(error))) continue;
      const unsigned offset = error.offset >= head.size() ? error.offset - static_cast<unsigned>(head.size()) : 0;
      const std::size_t index = action_at(woven, error, offset);
      if (!told.insert(index).second) continue;
      const Action& action = request_.actions[index];
      const std::string where = std::filesystem::path(request_.source.file).filename().string() + ":" +
                                std::to_string(answer_.points[index].line);
      if (action.condition.empty()) {
        problem(action.origin, "The action does not compile at " + where + ": " + error.message + ".",
                "Choose another point.");
      } else {
        problem(action.origin,
                "The condition \"" + action.condition + "\" does not compile at " + where + ": " + error.message + ".",
                "Use what is in scope at the point.");
      }
    }
  }

  // The action that an error is about: the one whose text it is in, otherwise the nearest before it.
  std::size_t action_at(const WovenFile& woven, const CompilerError& error, unsigned offset) const {
    std::size_t nearest = 0;
    unsigned least = ~0U;
    for (std::size_t i = 0; i < woven.actions.size(); ++i) {
      const auto [begin, end] = woven.actions[i];
      if (error.in_file && begin <= offset && offset < end) return i;
      const unsigned distance = offset < begin ? begin - offset : offset - end;
      if (distance < least) {
        least = distance;
        nearest = i;
      }
    }
    return nearest;
  }

  const AnalyzerRequest& request_;
  AnalyzerAnswer answer_;
  Placed placed_;
};

}  // namespace

AnalyzerAnswer answer(const AnalyzerRequest& request) { return Answering(request).run(); }

}  // namespace ravel
