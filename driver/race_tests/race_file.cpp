// SPDX-License-Identifier: Apache-2.0
#include "driver/race_tests/race_file.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "trace/schedule_text.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBlank = " \t\r\v\f";
constexpr const char* kPointAdvice =
    "a point is: PATH SCOPE N, PATH SCOPE call N of NAME, PATH SCOPE access N of NAME, or PATH:LINE";
constexpr const char* kActionAdvice = R"(an action is: wait("EVENT") or notify("EVENT"))";

bool is_blank(char c) { return kBlank.find(c) != std::string_view::npos; }

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// Takes the first word off `text`.
std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find_first_of(kBlank), text.size());
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

// Takes the last word off `text`.
std::string_view take_last_word(std::string_view& text) {
  text = trimmed(text);
  const std::size_t blank = text.find_last_of(kBlank);
  const std::size_t begin = blank == std::string_view::npos ? 0 : blank + 1;
  const std::string_view word = text.substr(begin);
  text = trimmed(text.substr(0, begin));
  return word;
}

// Only digits, above 0 and small enough to count anything in a source.
std::optional<unsigned> number_in(std::string_view word) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || number == 0 || number > 100'000'000) return {};
  return number;
}

bool looks_like_number(std::string_view word) {
  return !word.empty() && (std::isdigit(static_cast<unsigned char>(word.front())) != 0 || word.front() == '-');
}

// Scans text the way C++ reads it: knows whether a character is in quotes, and how deep in parentheses.
class CodeWalk {
 public:
  // Call before each character. A parenthesis or quote that opens something is still outside of it.
  void step(std::string_view text, std::size_t at) {
    const char c = text[at];
    if (quote_ != '\0') {
      if (escaped_) {
        escaped_ = false;
      } else if (c == '\\') {
        escaped_ = true;
      } else if (c == quote_) {
        quote_ = '\0';
      }
      return;
    }
    // 1'000 is a number, not the start of a character literal.
    const bool separates_digits = c == '\'' && at > 0 && is_word_part(text[at - 1]);
    if (c == '"' || (c == '\'' && !separates_digits)) quote_ = c;
    if (c == '(' || c == '[' || c == '{') ++depth_;
    if ((c == ')' || c == ']' || c == '}') && depth_ > 0) --depth_;
  }
  bool quoted() const { return quote_ != '\0'; }
  int depth() const { return depth_; }

 private:
  char quote_ = '\0';
  bool escaped_ = false;
  int depth_ = 0;
};

std::string_view without_comment(std::string_view line) {
  CodeWalk walk;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && !walk.quoted()) return line.substr(0, i);
    walk.step(line, i);
  }
  return line;
}

// Where the action's `wait(` or `notify(` begins. A function may have that name too: the one with a quote after the
// parenthesis is meant, or else the last.
std::size_t find_action(std::string_view text) {
  std::size_t found = std::string_view::npos;
  CodeWalk walk;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = walk.depth() == 0 && !walk.quoted() && (i == 0 || is_blank(text[i - 1]));
    walk.step(text, i);
    if (!begins) continue;
    for (const std::string_view word : {std::string_view("wait"), std::string_view("notify")}) {
      if (!text.substr(i).starts_with(word)) continue;
      const std::string_view rest = trimmed(text.substr(i + word.size()));
      if (!rest.starts_with("(")) continue;
      found = i;
      if (trimmed(rest.substr(1)).starts_with("\"")) return i;
    }
  }
  return found;
}

class Parser {
 public:
  Parser(std::string_view text, const fs::path& file, std::string_view directory_name) : text_(text) {
    test_.file = file;
    test_.name = std::string(directory_name);
  }

  Result<RaceTest> parse() {
    if (const std::size_t zero = text_.find('\0'); zero != std::string_view::npos) {
      const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(zero), '\n');
      return Status::trouble(fmt::format("{}:{}: the file is not text", test_.file.string(), line), kStatements);
    }
    while (!text_.empty() && status_.is_ok()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      ++line_;
      statement(trimmed(without_comment(text_.substr(0, end))));
      text_.remove_prefix(std::min(end + 1, text_.size()));
    }
    if (status_.is_ok()) check_whole();
    if (!status_.is_ok()) return status_;
    return std::move(test_);
  }

 private:
  static constexpr const char* kStatements =
      "a race test has lines that begin with: at (a point and its action), expect, run, test";

  // Keeps only the first mistake: the others may follow from it.
  bool wrong(const std::string& what, const std::string& advice) { return wrong_at(line_, what, advice); }
  bool wrong_at(unsigned line, std::string what, const std::string& advice) {
    constexpr std::size_t kLongest = 200;
    // Text quoted from the file may be anything.
    for (char& c : what) {
      if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = '?';
    }
    if (what.size() > kLongest) what.replace(kLongest, std::string::npos, "...");
    if (status_.is_ok()) status_ = Status::trouble(fmt::format("{}:{}: {}", test_.file.string(), line, what), advice);
    return false;
  }

  void statement(std::string_view line) {
    if (line.empty()) return;
    const std::string_view word = take_word(line);
    if (word == "test") {
      name_statement(line);
    } else if (word == "at") {
      action_statement(line);
    } else if (word == "expect") {
      expect_statement(line);
    } else if (word == "run") {
      run_statement(line);
    } else {
      wrong(fmt::format("a line cannot begin with \"{}\"", word), kStatements);
    }
  }

  void name_statement(std::string_view name) {
    if (test_.name_line != 0) {
      wrong(fmt::format("the test already has a name, \"{}\"", test_.name), "keep one line that begins with: test");
      return;
    }
    const bool fits = !name.empty() && std::all_of(name.begin(), name.end(),
                                                   [](char c) { return is_word_part(c) || c == '-' || c == '.'; });
    if (!fits) {
      wrong(
          name.empty() ? std::string("the name is missing") : fmt::format("\"{}\" cannot be the name of a test", name),
          "a name is made of letters, digits, _, - and ., e.g. test list_add_empty");
      return;
    }
    test_.name = std::string(name);
    test_.name_line = line_;
  }

  void run_statement(std::string_view text) {
    constexpr const char* kAdvice =
        "write the arguments to add to the program's own, in quotes if they have blanks: run --only \"two "
        "words\"";
    if (test_.arguments_line != 0) {
      wrong(fmt::format("line {} already says which arguments the program gets", test_.arguments_line),
            "keep one line that begins with: run");
      return;
    }
    test_.arguments_line = line_;
    while (!text.empty()) {
      std::string word;
      if (!take_argument(text, word)) {
        wrong("a quote is not closed, or has an unknown escape after a backslash", kAdvice);
        return;
      }
      test_.arguments.push_back(std::move(word));
      text = trimmed(text);
    }
    if (test_.arguments.empty()) wrong("the arguments of the program are missing", kAdvice);
  }

  // Takes one argument off `text`: up to a blank outside quotes. Within quotes a backslash means the same as in
  // schedules.
  static bool take_argument(std::string_view& text, std::string& word) {
    char quote = '\0';
    std::size_t at = 0;
    for (; at < text.size() && (quote != '\0' || !is_blank(text[at])); ++at) {
      const char c = text[at];
      if (quote == '\0' && (c == '"' || c == '\'')) {
        quote = c;
      } else if (c == quote) {
        quote = '\0';
      } else if (c != '\\' || quote == '\0') {
        word += c;
      } else {
        const std::size_t length = at + 1 < text.size() && text[at + 1] == 'x' ? 4 : 2;
        const auto meant = text.substr(at, length) == "\\'"
                               ? std::vector<std::string>{"'"}
                               : split_quoted(fmt::format("\"{}\"", text.substr(at, length)));
        if (!meant || meant->size() != 1 || meant->front() == std::string(1, '\0')) return false;
        word += meant->front();
        at += length - 1;
      }
    }
    text.remove_prefix(at);
    return quote == '\0';
  }

  void action_statement(std::string_view text) {
    const std::size_t at = find_action(text);
    if (at == std::string_view::npos) {
      wrong(
          text.empty() ? std::string("the point is missing") : fmt::format("no action follows the point \"{}\"", text),
          text.empty() ? kPointAdvice : kActionAdvice);
      return;
    }
    Action action;
    action.line = line_;
    std::string_view place = trimmed(text.substr(0, at));
    std::string_view before = place;
    if (take_last_word(before) == "after") {
      action.after = true;
      place = before;
    }
    if (!point(place, action.point) || !event(text.substr(at), action)) return;
    if (action.after && action.point.kind != PointKind::call && action.point.kind != PointKind::access) {
      wrong("only an action at a call or an access can be \"after\" it",
            "leave out \"after\": the action is at the point");
      return;
    }
    test_.actions.push_back(std::move(action));
  }

  bool point(std::string_view text, Point& point) {
    if (!path(text, point)) return false;
    const std::size_t colon = point.path.rfind(':');
    if (colon != std::string::npos) {
      const std::string_view line = std::string_view(point.path).substr(colon + 1);
      const std::optional<unsigned> number = number_in(line);
      if (!number)
        return wrong(fmt::format("\"{}\" is not a line number", line), "lines are counted from 1: list.cpp:42");
      if (!text.empty()) {
        return wrong(fmt::format("\"{}\" follows a line number, which is already a point", text), kPointAdvice);
      }
      point.kind = PointKind::line;
      point.number = *number;
      point.path.resize(colon);
      return !point.path.empty() || wrong("the path before the line is missing", kPointAdvice);
    }
    return place(text, point);
  }

  // A path with blanks is quoted.
  bool path(std::string_view& text, Point& point) {
    text = trimmed(text);
    if (text.starts_with('"')) {
      const std::size_t end = text.find('"', 1);
      if (end == std::string_view::npos) return wrong("the path has no closing quote", R"(write "my list.cpp")");
      point.path = std::string(text.substr(1, end - 1));
      text.remove_prefix(end + 1);
      // A line number may follow the quote.
      if (text.starts_with(':')) point.path += take_word(text);
      text = trimmed(text);
    } else {
      point.path = std::string(take_word(text));
    }
    if (point.path.find('"') != std::string::npos) return wrong("a path cannot have quotes in it", kPointAdvice);
    return !point.path.empty() || wrong("the point is missing", kPointAdvice);
  }

  bool place(std::string_view text, Point& point) {
    if (text.empty()) {
      return wrong(fmt::format("the point in {} is missing", point.path), kPointAdvice);
    }
    std::string_view rest = text;
    const std::string_view last = take_last_word(rest);
    std::string_view upto = rest;
    if (take_last_word(upto) == "of" && !upto.empty()) {
      const std::string_view number = take_last_word(upto);
      const std::string_view kind = take_last_word(upto);
      if (kind == "call" || kind == "access") {
        point.kind = kind == "call" ? PointKind::call : PointKind::access;
        point.name = std::string(last);
        return count(number, point) && scope(upto, point);
      }
      return wrong(fmt::format("\"{}\" is neither a call nor an access", text), kPointAdvice);
    }
    if (!looks_like_number(last)) {
      return wrong(fmt::format("\"{}\" does not end with the number of a comment", text), kPointAdvice);
    }
    point.kind = PointKind::comment;
    return count(last, point) && scope(rest, point);
  }

  bool count(std::string_view word, Point& point) {
    const std::optional<unsigned> number = number_in(word);
    if (!number) return wrong(fmt::format("\"{}\" is not a number to count with", word), "numbers start at 1");
    point.number = *number;
    return true;
  }

  // One name; blanks only where C++ has them: in lists of parameters and arguments, in names of conversions, before
  // const.
  bool scope(std::string_view text, Point& point) {
    CodeWalk walk;
    int angles = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool in_operator = text.substr(0, i).find("operator") != std::string_view::npos;
      if (text[i] == '<' && !in_operator) ++angles;
      if (text[i] == '>' && angles > 0) --angles;
      if (is_blank(text[i]) && walk.depth() == 0 && angles == 0 && !in_operator && trimmed(text.substr(i)) != "const") {
        return wrong(fmt::format("\"{}\" is not the name of one function or class", text), kPointAdvice);
      }
      walk.step(text, i);
    }
    if (walk.depth() != 0) {
      return wrong(fmt::format("\"{}\" has a parenthesis that is not closed", text), kPointAdvice);
    }
    point.scope = std::string(text);
    return true;
  }

  // From the word `wait` or `notify` on.
  bool event(std::string_view text, Action& action) {
    const std::size_t open = text.find('(');
    action.kind = trimmed(text.substr(0, open)) == "wait" ? ActionKind::wait : ActionKind::notify;
    std::string_view rest = trimmed(text.substr(open + 1));
    if (!rest.starts_with('"')) return wrong("the event is not in quotes", kActionAdvice);
    const std::size_t quote = rest.find('"', 1);
    if (quote == std::string_view::npos) return wrong("the event has no closing quote", kActionAdvice);
    action.event = std::string(rest.substr(1, quote - 1));
    if (action.event.empty()) return wrong("the event has no name", kActionAdvice);
    if (action.event.find('\\') != std::string::npos) {
      return wrong("the name of an event cannot contain a backslash", kActionAdvice);
    }
    rest = trimmed(rest.substr(quote + 1));
    if (!rest.starts_with(')')) return wrong("the parenthesis after the event is not closed", kActionAdvice);
    return conditions(trimmed(rest.substr(1)), action);
  }

  // `if EXPRESSION`, `on arrival N`, `for T2`, each at most once. An expression ends where one of the others follows at
  // the end of the line.
  bool conditions(std::string_view text, Action& action) {
    constexpr const char* kAdvice = "conditions are: if EXPRESSION, on arrival N, for T2";
    while (!text.empty()) {
      const std::string_view whole = text;
      const std::string_view word = take_word(text);
      if (word == "if" || word.starts_with("if(")) {
        text = trimmed(whole.substr(2));
        while (take_tail(text, action)) {
        }
        if (!status_.is_ok()) return false;
        if (text.empty()) return wrong("the expression after \"if\" is missing", kAdvice);
        action.condition = std::string(text);
        return true;
      }
      if (word == "on") {
        if (take_word(text) != "arrival") return wrong("\"on\" is not followed by \"arrival\"", kAdvice);
        if (!arrival(take_word(text), action)) return false;
      } else if (word == "for") {
        if (!task(take_word(text), action)) return false;
      } else {
        return wrong(fmt::format("\"{}\" is not a condition", word), kAdvice);
      }
    }
    return true;
  }

  // Takes `on arrival N` or `for T2` off the end of an expression.
  bool take_tail(std::string_view& text, Action& action) {
    std::string_view rest = text;
    const std::string_view last = take_last_word(rest);
    const std::string_view before = take_last_word(rest);
    if (before == "for") {
      text = rest;
      return task(last, action);
    }
    if (before == "arrival" && take_last_word(rest) == "on") {
      text = rest;
      return arrival(last, action);
    }
    return false;
  }

  bool arrival(std::string_view word, Action& action) {
    const std::optional<unsigned> number = number_in(word);
    if (!number) return wrong(fmt::format("\"{}\" is not the number of an arrival", word), "write: on arrival 2");
    if (action.arrival != 0) return wrong("\"on arrival\" appears twice", "keep one of them");
    action.arrival = *number;
    return true;
  }

  bool task(std::string_view word, Action& action) {
    const std::optional<unsigned> number = word.starts_with('T') ? number_in(word.substr(1)) : std::nullopt;
    if (!number) {
      return wrong(fmt::format("\"{}\" is not a task that can be chosen", word),
                   "write: for T2; T1 is the first thread that the test creates");
    }
    if (action.task != 0) return wrong("\"for\" appears twice", "keep one of them");
    action.task = *number;
    return true;
  }

  void expect_statement(std::string_view text) {
    constexpr const char* kAdvice =
        "write: expect race at POINT and POINT, or: expect KIND, e.g. expect use-after-free";
    if (test_.expectation) {
      wrong(fmt::format("line {} already says what to expect", test_.expectation->line),
            "keep one line that begins with: expect");
      return;
    }
    Expectation expectation;
    expectation.line = line_;
    const std::string_view kind = take_word(text);
    if (kind == "race") {
      if (take_word(text) != "at") {
        wrong("the points of the race are missing", kAdvice);
        return;
      }
      if (!both_points(text, expectation)) return;
    } else {
      const std::optional<FindingKind> finding = finding_from_name(kind);
      if (!finding) {
        wrong(
            kind.empty() ? std::string("the finding is missing") : fmt::format("\"{}\" is not a kind of finding", kind),
            kAdvice);
        return;
      }
      if (!text.empty()) {
        wrong(fmt::format("\"{}\" follows the finding, where the line should end", text), kAdvice);
        return;
      }
      expectation.kind = *finding;
    }
    test_.expectation = std::move(expectation);
  }

  bool both_points(std::string_view text, Expectation& expectation) {
    constexpr std::string_view kAnd = " and ";
    std::vector<std::string_view> parts;
    for (std::size_t found = 0; found != std::string_view::npos;) {
      found = text.find(kAnd);
      parts.push_back(trimmed(text.substr(0, found)));
      if (found != std::string_view::npos) text.remove_prefix(found + kAnd.size());
    }
    if (parts.size() != 2) {
      return wrong(
          fmt::format("a race is between two accesses, but {} given", parts.size() == 1 ? "one point is" : "more are"),
          "write: expect race at POINT and POINT");
    }
    for (const std::string_view part : parts) {
      Point one;
      if (!point(part, one)) return false;
      expectation.points.push_back(std::move(one));
    }
    return true;
  }

  void check_whole() {
    std::set<std::string_view> notified;
    for (const Action& action : test_.actions) {
      if (action.kind == ActionKind::notify) notified.insert(action.event);
    }
    for (const Action& action : test_.actions) {
      if (action.kind == ActionKind::notify || notified.contains(action.event)) continue;
      wrong_at(action.line, fmt::format("waits for \"{}\", which no line notifies", action.event),
               notified.empty() ? fmt::format("add a line with notify(\"{}\")", action.event)
                                : fmt::format("the events that are notified: \"{}\"", fmt::join(notified, "\", \"")));
    }
    if (test_.actions.empty() && !test_.expectation) {
      wrong_at(std::max(line_, 1U), "the race test is empty", kStatements);
    }
  }

  std::string_view text_;
  unsigned line_ = 0;
  Status status_ = Status::ok();
  RaceTest test_;
};

std::string error_text(const std::error_code& error) { return error.message(); }

Result<std::string> read_text(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) {
    return Status::trouble(fmt::format("there is no {}", file.string()),
                           fmt::format("a race test is a directory with a file {} in it", kRaceFileName));
  }
  if (!error && fs::is_directory(status)) {
    return Status::trouble(fmt::format("{} is a directory", file.string()),
                           "it must be a text file that holds the race test");
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.is_open() || stream.bad()) {
    return Status::trouble(fmt::format("{} cannot be read: {}", file.string(), std::strerror(errno == 0 ? EIO : errno)),
                           "check the path and its permissions");
  }
  return text;
}

std::string name_of_directory(const fs::path& directory) {
  std::error_code error;
  fs::path whole = fs::absolute(directory, error).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  return whole.filename().string();
}

}  // namespace

Result<RaceTest> parse_race_test(std::string_view text, const fs::path& file, std::string_view directory_name) {
  return Parser(text, file, directory_name).parse();
}

Result<RaceTest> read_race_test(const fs::path& directory) {
  const fs::path file = directory / kRaceFileName;
  Result<std::string> text = read_text(file);
  if (!text.is_ok()) return text.status();
  Result<RaceTest> test = parse_race_test(text.value(), file, name_of_directory(directory));
  if (!test.is_ok()) return test;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    if (entry.path().extension() == ".cpp") test.value().sources.push_back(entry.path());
  }
  if (error) {
    return Status::trouble(fmt::format("{} cannot be read: {}", directory.string(), error_text(error)),
                           "check the path and its permissions");
  }
  std::sort(test.value().sources.begin(), test.value().sources.end());
  return test;
}

Result<std::vector<RaceTest>> read_race_tests(const fs::path& directory) {
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    return Status::trouble(
        fmt::format("{} is not a directory", directory.string()),
        fmt::format("give the directory of race tests, one directory with a {} each", kRaceFileName));
  }
  std::vector<fs::path> files;
  fs::recursive_directory_iterator entry(directory, error);
  while (!error && entry != fs::recursive_directory_iterator()) {
    if (entry->path().filename() == kRaceFileName) files.push_back(entry->path());
    entry.increment(error);
  }
  if (error) {
    return Status::trouble(fmt::format("{} cannot be read: {}", directory.string(), error_text(error)),
                           "check the path and its permissions");
  }
  if (files.empty()) {
    return Status::trouble(fmt::format("there is no race test in {}", directory.string()),
                           fmt::format("a race test is a directory with a file {} in it", kRaceFileName));
  }
  std::sort(files.begin(), files.end());
  std::vector<RaceTest> tests;
  for (const fs::path& file : files) {
    Result<RaceTest> test = read_race_test(file.parent_path());
    if (!test.is_ok()) return test.status();
    tests.push_back(std::move(test.value()));
  }
  if (Status status = check_names(tests); !status.is_ok()) return status;
  return tests;
}

Status check_names(const std::vector<RaceTest>& tests) {
  std::map<std::string_view, const RaceTest*> seen;
  for (const RaceTest& test : tests) {
    const auto [first, is_new] = seen.emplace(test.name, &test);
    if (is_new) continue;
    const auto place = [](const RaceTest& one) {
      return fmt::format("{}:{}", one.file.string(), std::max(one.name_line, 1U));
    };
    return Status::trouble(
        fmt::format("{}: the test is called \"{}\", like the one in {}", place(test), test.name, place(*first->second)),
        "give one of them another name: test NAME");
  }
  return Status::ok();
}

std::string point_text(const Point& point) {
  const bool quoted = point.path.find_first_of(" \t\r\v\f#'()[]{}") != std::string::npos;
  const std::string path = quoted ? fmt::format("\"{}\"", point.path) : point.path;
  if (point.kind == PointKind::line) return fmt::format("{}:{}", path, point.number);
  const std::string scope = point.scope.empty() ? path : fmt::format("{} {}", path, point.scope);
  switch (point.kind) {
    case PointKind::call:
      return fmt::format("{} call {} of {}", scope, point.number, point.name);
    case PointKind::access:
      return fmt::format("{} access {} of {}", scope, point.number, point.name);
    default:
      return fmt::format("{} {}", scope, point.number);
  }
}

std::string action_text(const Action& action) {
  std::string text = fmt::format("at {} {}{}(\"{}\")", point_text(action.point), action.after ? "after " : "",
                                 action.kind == ActionKind::wait ? "wait" : "notify", action.event);
  if (!action.condition.empty()) text += fmt::format(" if {}", action.condition);
  if (action.arrival != 0) text += fmt::format(" on arrival {}", action.arrival);
  if (action.task != 0) text += fmt::format(" for T{}", action.task);
  return text;
}

std::string race_file_text(const RaceTest& test) {
  std::string text = fmt::format("test {}\n", test.name);
  if (!test.arguments.empty()) {
    text += "run";
    for (const std::string& argument : test.arguments) append_quoted(text += ' ', argument);
    text += "\n";
  }
  text += "\n";
  for (const Action& action : test.actions) text += action_text(action) + "\n";
  if (!test.expectation) return text;
  if (test.expectation->points.size() == 2) {
    text += fmt::format("\nexpect race at {} and {}\n", point_text(test.expectation->points[0]),
                        point_text(test.expectation->points[1]));
  } else {
    text += fmt::format("\nexpect {}\n", finding_name(test.expectation->kind));
  }
  return text;
}

}  // namespace ravel
