// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/options.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "driver/cli/did_you_mean.h"
#include "driver/cli/duration.h"
#include "driver/target/execution_record.h"

namespace ravel {
namespace {

constexpr std::size_t kColumns = 100;

// "--seed N" -> "--seed" and "N"; "--verify, --no-verify" has no value.
std::pair<std::string, std::string> split_name(std::string_view name) {
  const std::size_t end = name.find(", ") != std::string_view::npos ? name.size() : name.find(' ');
  if (end >= name.size()) return {std::string(name), ""};
  return {std::string(name.substr(0, end)), std::string(name.substr(end + 1))};
}

// `made`: a directory that the command makes itself; may be empty.
bool can_be_written(const std::string& path, const std::string& made) {
  namespace fs = std::filesystem;
  if (path.empty() || path == "-") return true;
  std::error_code error;
  if (fs::is_directory(path, error)) return false;
  if (fs::exists(path, error)) return ::access(path.c_str(), W_OK) == 0;
  const fs::path directory = fs::absolute(path, error).lexically_normal().parent_path();
  if (!made.empty() && directory == fs::absolute(fs::path(made) / "", error).lexically_normal().parent_path())
    return true;
  return ::access(directory.c_str(), W_OK | X_OK) == 0;
}

// "95%" or "0.95".
std::optional<double> parse_share(std::string_view text) {
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (percent) value /= 100;
  return value > 0 && value <= 1 ? std::optional(value) : std::nullopt;
}

// "64K", "4M", "1G" or bytes, in KB; nullopt when it is not a size, or is 4 TB or more.
std::optional<std::uint64_t> parse_size_kb(std::string text) {
  std::uint64_t bytes = 0;
  try {
    if (!CLI::AsSizeValue(false)(text).empty() || !CLI::detail::lexical_cast(text, bytes)) return std::nullopt;
  } catch (const CLI::ValidationError&) {
    return std::nullopt;  // its message lists a table of units
  }
  return (bytes >> 10) <= UINT32_MAX ? std::optional((bytes + 1023) >> 10) : std::nullopt;
}

std::string size_text(std::uint64_t kilobytes) {
  std::size_t unit = 0;
  for (; unit < 2 && kilobytes != 0 && kilobytes % 1024 == 0; ++unit) kilobytes /= 1024;
  return fmt::format("{}{}", kilobytes, "KMG"[unit]);
}

// The value of a variable as it would be typed; empty when it has none.
template <typename T, typename Text>
std::function<std::string()> text_of(const Variable<T>& variable, Text text) {
  return [variable, text]() -> std::string {
    const auto value = variable.get();
    return value ? text(*value) : "";
  };
}

// Sets the variable to the parsed text, unless parsing fails.
template <typename T, typename Parse>
std::function<bool(const std::string&)> set_by(const Variable<T>& variable, Parse parse) {
  return [variable, parse](const std::string& text) {
    const std::optional<T> value = parse(text);
    if (value) variable.set(*value);
    return value.has_value();
  };
}

}  // namespace

std::string help_line(const std::string& left, const std::string& right, std::size_t column) {
  std::string out = fmt::format("  {:{}}", left, column - 2);
  if (left.size() + 4 > column) out = fmt::format("  {}\n{:{}}", left, "", column);
  std::string_view rest = right;
  while (column + rest.size() > kColumns) {
    std::size_t end = rest.rfind(' ', kColumns - column);
    if (rest.substr(0, end).ends_with("[default:")) end = rest.rfind(' ', end - 1);  // keep it together with its value
    out += fmt::format("{}\n{:{}}", rest.substr(0, end), "", column);
    rest.remove_prefix(end + 1);
  }
  return out + std::string(rest) + "\n";
}

Options::Options(std::string command, std::string summary)
    : command_(std::move(command)), summary_(std::move(summary)), parser_(std::make_unique<CLI::App>()) {
  parser_->set_help_flag("-h,--help");
}

Options::~Options() = default;

Options::Definition& Options::define(const char* name, const std::string& help, std::function<std::string()> now,
                                     CLI::Option* parser) {
  const auto [names, value] = split_name(name);
  const std::string initial = now();
  const std::string heading = names.starts_with('-') ? heading_ : "Arguments";
  return definitions_.emplace_back(Definition{names, value, help, heading, std::move(now), initial, "", parser});
}

Options::Definition& Options::define(const char* name, const std::string& help, std::function<std::string()> now,
                                     std::function<bool(const std::string&)> accept, const std::string& what) {
  const std::string names = split_name(name).first;
  CLI::Option* const parser = parser_->add_option_function<std::string>(
      names, [names, accept = std::move(accept), what](const std::string& text) {
        if (!accept(text)) throw CLI::ValidationError(names, fmt::format("'{}' is not {}", text, what));
      });
  parser->required(!names.starts_with('-'));
  return define(name, help, std::move(now), parser);
}

Options::Definition& Options::flag(const char* name, const Variable<bool>& variable, const std::string& help) {
  std::string on;
  std::string off;
  std::string parsed;
  for (const std::string& one : CLI::detail::split(name, ',')) {
    const std::string trimmed = CLI::detail::trim_copy(one);
    const bool is_off = trimmed.starts_with("--no-");
    (is_off ? off : on) = trimmed;
    parsed += (parsed.empty() ? "" : ",") + std::string(is_off ? "!" : "") + trimmed;
  }
  CLI::Option* const parser =
      parser_->add_flag_function(parsed, [variable](std::int64_t count) { variable.set(count > 0); });
  parser->disable_flag_override();
  return define(name, help, text_of(variable, [on, off](bool value) { return value ? on : off; }), parser);
}

Options::Definition& Options::text(const char* name, const Variable<std::string>& variable, const std::string& help) {
  return define(name, help, text_of(variable, [](const std::string& value) { return value; }),
                set_by(variable, [](const std::string& text) { return std::optional(text); }), "");
}

Options::Definition& Options::number(const char* name, const Variable<std::uint64_t>& variable, const std::string& help,
                                     std::uint64_t least, std::uint64_t most) {
  const auto parse = [in_range = CLI::Range(least, most)](const std::string& text) -> std::optional<std::uint64_t> {
    std::uint64_t number = 0;
    if (!in_range(text).empty() || !CLI::detail::lexical_cast(text, number)) return std::nullopt;
    return number;
  };
  const bool bounded = most < std::numeric_limits<std::int64_t>::max();
  return define(
      name, help, text_of(variable, [](std::uint64_t value) { return std::to_string(value); }), set_by(variable, parse),
      bounded ? fmt::format("a number from {} to {}", least, most) : fmt::format("a number of at least {}", least));
}

Options::Definition& Options::share(const char* name, const Variable<double>& variable, const std::string& help) {
  return define(name, help, text_of(variable, [](double value) { return fmt::format("{}", value); }),
                set_by(variable, parse_share), "a share such as 95% or 0.95");
}

Options::Definition& Options::duration(const char* name, const Variable<std::chrono::nanoseconds>& variable,
                                       const std::string& help) {
  return define(name, help, text_of(variable, duration_text), set_by(variable, parse_duration),
                "a duration such as 500ms, 60s or 5m");
}

Options::Definition& Options::size_kb(const char* name, const Variable<std::uint64_t>& variable,
                                      const std::string& help) {
  return define(name, help, text_of(variable, size_text), set_by(variable, parse_size_kb),
                "a size such as 512K, 16M or 0");
}

Options::Definition& Options::choice(const char* name, const Variable<std::string>& variable,
                                     const std::vector<std::string>& choices, const std::string& help) {
  const std::string listed = fmt::format("{}", fmt::join(choices, ", "));
  const auto parse = [is_known = CLI::IsMember(choices)](const std::string& text) {
    return is_known(text).empty() ? std::optional(text) : std::nullopt;
  };
  Definition& definition = define(name, help, text_of(variable, [](const std::string& value) { return value; }),
                                  set_by(variable, parse), "one of " + listed);
  if (definition.value.empty()) {
    definition.value = fmt::format("{}", fmt::join(choices, "|"));
  } else {
    definition.help += ": " + listed;
  }
  return definition;
}

Options::Definition& Options::list(const char* name, std::vector<std::string>& variable, const std::string& help,
                                   int values) {
  const std::string names = split_name(name).first;
  CLI::Option* const parser = parser_->add_option(names, variable);
  if (names.starts_with('-')) parser->expected(values);
  if (values == 1) parser->take_all();
  return define(
      name, help, [] { return std::string(); }, parser);
}

Options::Definition& Options::report(const char* name, const Variable<std::string>& variable, const std::string& help) {
  Definition& definition = text(name, variable, help);
  definition.is_written = true;
  return definition;
}

Status Options::check_written() const {
  std::string made;
  for (const Definition& one : definitions_) {
    if (one.names == "--out") made = one.now();
  }
  const Definition* on_stdout = nullptr;
  for (const Definition& one : definitions_) {
    if (one.is_written && one.now() == "-") {
      if (on_stdout != nullptr) {
        return Status::trouble(fmt::format("{} and {} cannot both go to standard output", on_stdout->names, one.names),
                               "give one of them a file");
      }
      on_stdout = &one;
    }
    if (!one.is_written || can_be_written(one.now(), made)) continue;
    return Status::trouble(fmt::format("{}: {} cannot be written", one.names, one.now()),
                           "check that its directory exists and that you may write to it");
  }
  return Status::ok();
}

Options::Definition& Options::numbers(const char* name, std::vector<int>& variable, const std::string& help, int least,
                                      int most) {
  CLI::Option* const parser = parser_->add_option(split_name(name).first, variable);
  parser->expected(1)->take_all();
  parser->check([in_range = CLI::Range(least, most), least, most](const std::string& text) {
    return in_range(text).empty() ? std::string()
                                  : fmt::format("'{}' is not a number from {} to {}", text, least, most);
  });
  return define(
      name, help, [] { return std::string(); }, parser);
}

void Options::takes_program() { parser_->add_option("PROGRAM", program_); }

void Options::exclude(const std::string& name, std::initializer_list<const char*> others) {
  for (const char* const other : others) parser_->get_option(name)->excludes(parser_->get_option(other));
}

void Options::exclude_all_but(const std::string& name, std::initializer_list<const char*> others) {
  for (const Definition& other : definitions_) {
    const bool allowed = other.names == name || std::find(others.begin(), others.end(), other.names) != others.end();
    if (!allowed) parser_->get_option(name)->excludes(other.parser);
  }
}

Status Options::parse(const std::vector<std::string>& words) {
  std::string what;
  std::string meant;
  try {
    parser_->parse(std::vector<std::string>(words.rbegin(), words.rend()));
    return check_written();
  } catch (const CLI::CallForHelp&) {
    wants_help_ = true;
    return Status::ok();
  } catch (const CLI::ExtrasError&) {
    const std::string word = parser_->remaining().front();
    std::vector<std::string> known;
    for (const Definition& one : definitions_) {
      for (const std::string& name : CLI::detail::split(one.names, ',')) known.push_back(CLI::detail::trim_copy(name));
    }
    meant = did_you_mean(word.substr(0, word.find('=')), known);
    what = fmt::format("'{}' is not an option of ravel {}", word, command_);
  } catch (const CLI::ArgumentMismatch& error) {
    // "--seed: ..." for too few or too many values, "quiet was given ..." for a flag with a value.
    const std::string name = std::string(error.what()).substr(0, std::string_view(error.what()).find_first_of(" :"));
    const auto is_it = [&](const Definition& one) { return one.names == name; };
    const auto found = std::find_if(definitions_.begin(), definitions_.end(), is_it);
    what = found == definitions_.end()  ? fmt::format("--{} takes no value", name)
           : found->parser->count() > 1 ? fmt::format("{} is given more than once", name)
                                        : fmt::format("{0} needs a value: {0} {1}", name, found->value);
  } catch (const CLI::ParseError& error) {
    what = error.what();
  }
  return Status::trouble(what, (meant.empty() ? "" : fmt::format("did you mean {}? ", meant)) +
                                   fmt::format("ravel {} --help lists its options", command_));
}

std::string Options::help() const {
  constexpr std::size_t kColumn = 30;
  std::string out = fmt::format("ravel {} - {}\n\nUsage: {}\n", command_, summary_, usage_);
  std::string heading = definitions_.empty() ? heading_ : "";
  if (definitions_.empty()) out += fmt::format("\n{}:\n", heading_);
  for (const Definition& one : definitions_) {
    if (one.heading != heading) out += fmt::format("\n{}:\n", one.heading);
    heading = one.heading;
    const std::string& shown = one.initial.empty() ? one.otherwise : one.initial;
    out += help_line(one.names + (one.value.empty() ? "" : " ") + one.value,
                     one.help + (shown.empty() ? "" : fmt::format(" [default: {}]", shown)), kColumn);
  }
  return out + help_line("-h, --help", "print this help", kColumn) + "\n" + notes_ + "\n";
}

}  // namespace ravel
