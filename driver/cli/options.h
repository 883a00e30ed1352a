// SPDX-License-Identifier: Apache-2.0
// Options: the options of one command. Each is defined once: its name, the variable it sets, its help. The value that
// the variable has when the option is defined is the default, and help prints it from there, so that the two cannot
// differ.
//
// Commands define their options when they are invoked (driver/cli/commands.h); shared_options.h has those that several
// commands take. CLI11 does the parsing, hidden in options.cpp: its header is slow to compile, and its help shows its
// internals. Thread safety: none needed; main's thread. Invariant: the variables outlive the object, and only parse()
// writes them.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace ravel {

// The variable behind an option, seen as a T. An empty std::optional means that there is no default.
template <typename T>
struct Variable {
  Variable() = default;
  template <typename Held>
  requires(!std::same_as<std::remove_const_t<Held>, Variable>) Variable(Held& held) {  // NOLINT: implicit by design
    if constexpr (requires { held.has_value(); }) {
      get = [&held] { return held ? std::optional(static_cast<T>(*held)) : std::nullopt; };
      set = [&held](const T& value) { held = static_cast<typename Held::value_type>(value); };
    } else {
      get = [&held] { return std::optional(static_cast<T>(held)); };
      set = [&held](const T& value) { held = static_cast<Held>(value); };
    }
  }

  std::function<std::optional<T>()> get;
  std::function<void(const T&)> set;
};

class Options {
 public:
  struct Definition {
    std::string names;  // "--seed"; "--verify, --no-verify"; "SCHEDULE"
    std::string value;  // the placeholder for the value in help: "N". Empty: a flag
    std::string help;
    std::string heading;               // the heading it is listed under in help
    std::function<std::string()> now;  // the variable's value as it would be typed; for a flag, the flag
    std::string initial;               // the same at definition: the default. Empty: none
    std::string otherwise;             // what happens without the option, if there is no default: "no limit"
    CLI::Option* parser = nullptr;
    bool is_written = false;  // it names a file that the command will write

    void or_else(std::string text) { otherwise = std::move(text); }
  };

  // `command` and `summary` open its help: "run", "explore the schedules of a program".
  Options(std::string command, std::string summary);
  ~Options();

  void usage(std::string text) { usage_ = std::move(text); }      // "ravel run [options] -- PROGRAM"
  void notes(std::string text) { notes_ = std::move(text); }      // below the options: examples, exit codes
  void heading(std::string text) { heading_ = std::move(text); }  // of the options that follow

  // `name` is as help shows it: "--seed N", "--quiet", "SCHEDULE" (required). A flag that begins with --no- switches
  // its variable off; "--verify, --no-verify" has both.
  Definition& flag(const char* name, const Variable<bool>& variable, const std::string& help);
  Definition& text(const char* name, const Variable<std::string>& variable, const std::string& help);
  Definition& number(const char* name, const Variable<std::uint64_t>& variable, const std::string& help,
                     std::uint64_t least = 0, std::uint64_t most = std::numeric_limits<std::int64_t>::max());
  Definition& share(const char* name, const Variable<double>& variable, const std::string& help);  // 95%, 0.95
  Definition& duration(const char* name, const Variable<std::chrono::nanoseconds>& variable, const std::string& help);
  Definition& size_kb(const char* name, const Variable<std::uint64_t>& variable, const std::string& help);  // 512K, 16M
  // Help lists the choices in place of the value, or after the text when `name` names the value.
  Definition& choice(const char* name, const Variable<std::string>& variable, const std::vector<std::string>& choices,
                     const std::string& help);
  // The first `count` values of an enumeration.
  template <typename Held, typename Kind>
  Definition& choice(const char* name, Held& held, const char* (*name_of)(Kind), unsigned count,
                     const std::string& help);
  // `values` per use; for a name without dashes, all remaining words.
  Definition& list(const char* name, std::vector<std::string>& variable, const std::string& help, int values = 1);

  // A file that will be written; "-" is standard output. One that cannot be is an error at once, not after hours.
  Definition& report(const char* name, const Variable<std::string>& variable, const std::string& help);
  // Numbers, one for each use.
  Definition& numbers(const char* name, std::vector<int>& variable, const std::string& help, int least, int most);

  // A program may follow without "--".
  void takes_program();
  const std::vector<std::string>& program() const { return program_; }

  // Options that would have no effect together with the named one.
  void exclude(const std::string& name, std::initializer_list<const char*> others);
  void exclude_all_but(const std::string& name, std::initializer_list<const char*> others);

  // The error is the first thing that is wrong.
  Status parse(const std::vector<std::string>& words);
  bool wants_help() const { return wants_help_; }
  std::string help() const;

  const std::deque<Definition>& all() const { return definitions_; }

 private:
  Status check_written() const;
  Definition& define(const char* name, const std::string& help, std::function<std::string()> now, CLI::Option* parser);
  // `accept` sets the variable from a text, or returns false; the error is then "'TEXT' is not WHAT".
  Definition& define(const char* name, const std::string& help, std::function<std::string()> now,
                     std::function<bool(const std::string&)> accept, const std::string& what);

  std::string command_;
  std::string summary_;
  std::string usage_;
  std::string notes_;
  std::string heading_ = "Options";
  std::vector<std::string> program_;
  bool wants_help_ = false;
  std::unique_ptr<CLI::App> parser_;
  std::deque<Definition> definitions_;
};

// "  --seed N      seed of the search": the second part begins at `column`, and is wrapped at 100 columns.
std::string help_line(const std::string& left, const std::string& right, std::size_t column);

template <typename Held, typename Kind>
Options::Definition& Options::choice(const char* name, Held& held, const char* (*name_of)(Kind), unsigned count,
                                     const std::string& help) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < count; ++i) names.emplace_back(name_of(static_cast<Kind>(i)));
  const Variable<Kind> kind(held);
  Variable<std::string> variable;
  variable.get = [kind, name_of] {
    const auto value = kind.get();
    return value ? std::optional<std::string>(name_of(*value)) : std::nullopt;
  };
  variable.set = [kind, names](const std::string& text) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == text) kind.set(static_cast<Kind>(i));
    }
  };
  return choice(name, variable, names, help);
}

}  // namespace ravel
