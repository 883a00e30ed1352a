// SPDX-License-Identifier: Apache-2.0
// Help compared with the facts, for every command: each option is explained, the printed default is the actual one,
// pages fit into 100 columns and show no internals of the parser, and the names that scripts rely on are there.
#include <algorithm>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "driver/cli/commands.h"

namespace ravel {
namespace {

// One command with its options, as run_command_line() creates them.
struct Defined {
  explicit Defined(const CommandEntry& entry)
      : options(entry.name, entry.summary), command(entry.define(options, line)) {}

  CommandLine line;
  Options options;
  Command command;
};

std::vector<CommandEntry> commands_with_options() {
  std::vector<CommandEntry> found;
  for (const CommandEntry& entry : list_commands()) {
    if (entry.define != nullptr) found.push_back(entry);
  }
  return found;
}

std::string main_page() {
  const char* const words[] = {"ravel", "--help"};
  testing::internal::CaptureStdout();
  run_command_line(2, words);
  return testing::internal::GetCapturedStdout();
}

std::map<std::string, std::string> pages() {
  std::map<std::string, std::string> pages = {{"ravel", main_page()}};
  for (const CommandEntry& entry : commands_with_options()) pages[entry.name] = Defined(entry).options.help();
  return pages;
}

std::vector<std::string> lines_of(const std::string& page) {
  std::istringstream text(page);
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::size_t columns(const std::string& line) {  // of UTF-8: bytes that continue a character do not count
  return std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

// What the page says about an option: its line and the lines that are indented further, joined.
std::string entry_of(const std::string& page, const std::string& names) {
  std::string entry;
  for (const std::string& line : lines_of(page)) {
    const bool begins =
        line.starts_with("  " + names) && (line.size() == names.size() + 2 || line[names.size() + 2] == ' ');
    if (!begins && (entry.empty() || !line.starts_with("    "))) {
      if (!entry.empty()) break;
      continue;
    }
    entry += (entry.empty() ? "" : " ") + line.substr(line.find_first_not_of(' '));
  }
  return entry;
}

// "" when the page gives no default.
std::string printed_default(const std::string& entry) {
  std::smatch match;
  return std::regex_search(entry, match, std::regex(R"(\[default: (.*)\]$)")) ? match[1].str() : "";
}

TEST(Help, ExplainsEveryOption) {
  for (const CommandEntry& entry : commands_with_options()) {
    const Defined defined(entry);
    const std::string page = defined.options.help();
    for (const Options::Definition& option : defined.options.all()) {
      EXPECT_NE(option.help, "") << entry.name << " " << option.names;
      EXPECT_NE(entry_of(page, option.names).find(option.help.substr(0, 10)), std::string::npos)
          << entry.name << " " << option.names << ": " << entry_of(page, option.names);
    }
  }
}

TEST(Help, PrintsTheDefaultThatIsInForce) {
  std::size_t defaults = 0;
  for (const CommandEntry& entry : commands_with_options()) {
    const Defined defined(entry);
    const std::string page = defined.options.help();
    for (const Options::Definition& option : defined.options.all()) {
      SCOPED_TRACE(std::string(entry.name) + " " + option.names);
      const std::string printed = printed_default(entry_of(page, option.names));
      if (option.now().empty()) {
        EXPECT_EQ(printed, option.otherwise);
        continue;
      }
      EXPECT_EQ(printed, option.now());
      // Typing it changes nothing.
      Defined again(entry);
      std::vector<std::string> words =
          option.value.empty() ? std::vector<std::string>{printed} : std::vector<std::string>{option.names, printed};
      for (const Options::Definition& other : again.options.all()) {
        if (!other.names.starts_with('-') && other.names == "SCHEDULE") words.emplace_back("x.ravel");
      }
      const Status status = again.options.parse(words);
      EXPECT_TRUE(status.is_ok()) << status.what();
      const auto same = std::find_if(again.options.all().begin(), again.options.all().end(),
                                     [&](const Options::Definition& other) { return other.names == option.names; });
      EXPECT_EQ(same->now(), printed);
      ++defaults;
    }
  }
  EXPECT_GT(defaults, 30U);
}

TEST(Help, FitsIntoOneHundredColumns) {
  for (const auto& [name, page] : pages()) {
    for (const std::string& line : lines_of(page)) {
      EXPECT_LE(columns(line), 100U) << name << ": " << line;
      EXPECT_FALSE(line.ends_with(' ')) << name << ": " << line;
    }
    EXPECT_EQ(page.find("\n\n\n"), std::string::npos) << name;
  }
}

TEST(Help, ShowsNothingOfTheParser) {
  const std::regex insides(
      R"(\{|\}|Excludes:|Needs:|REQUIRED|TEXT:|ENUM|UINT|\bINT\b|FLOAT|BOOLEAN|Positionals|Subcommand)");
  for (const auto& [name, page] : pages()) {
    std::smatch match;
    EXPECT_FALSE(std::regex_search(page, match, insides)) << name << ": " << match.str();
  }
}

TEST(Help, MainPageListsEveryCommand) {
  const std::string page = main_page();
  for (const CommandEntry& entry : list_commands()) {
    EXPECT_NE(entry_of(page, entry.name).find(std::string(entry.summary).substr(0, 10)), std::string::npos)
        << entry.name;
  }
}

// A contract: scripts use exactly these.
TEST(Help, HasTheNamesThatScriptsRelyOn) {
  std::map<std::string, std::vector<std::string>> promised = {
      {"run",
       {"--strategy", "--executions", "--time", "--seed", "--jobs", "--points", "--carrier", "--memory-model",
        "--timeout", "--max-steps", "--keep-going", "--out", "--expect", "--quiet", "--no-color", "--gtest", "--case",
        "--list"}},
      {"explore", {"--call", "--case", "--result", "--strategy", "--executions", "--time", "--seed"}},
      {"replay", {"SCHEDULE", "--gdb", "--trace"}},
      {"shrink", {"SCHEDULE"}},
      {"explain", {"SCHEDULE"}},
      {"noise", {"--runs", "--time", "--seed", "--jobs", "--timeout", "--control", "--out"}},
      {"weave", {"--tests", "--out", "--compile-commands"}},
      {"test", {"--repeat", "--detector"}},
      {"pin", {"SCHEDULE", "--tests"}},
      {"reproduce",
       {"--stack", "--core", "--binary", "--class", "--method", "--header", "--source", "--compile-commands", "--out",
        "--json", "--threads", "--suffix"}},
      {"futures", {"--force", "--executions", "--time", "--memory-model", "--out"}},
      {"analyze", {"--futures", "--pairs", "--compile-commands", "--json"}},
      {"generate", {"--in-place", "--executions", "--time", "--seed", "--out"}},
      {"doctor", {}},
  };
  // One set of reports for every command that looks for findings.
  for (const char* const command : {"run", "replay", "explain", "noise", "futures", "test", "generate"}) {
    for (const char* const report : {"--json", "--html", "--sarif", "--junit", "--perfetto"}) {
      promised[command].push_back(report);
    }
  }
  std::map<std::string, std::vector<std::string>> defined;
  for (const CommandEntry& entry : commands_with_options()) {
    const Defined command(entry);
    for (const Options::Definition& option : command.options.all()) defined[entry.name].push_back(option.names);
    EXPECT_TRUE(promised.contains(entry.name)) << entry.name << " has no row here";
  }
  for (const auto& [command, names] : promised) {
    for (const std::string& name : names) {
      const auto& known = defined[command];
      EXPECT_NE(std::find(known.begin(), known.end(), name), known.end()) << command << " has no " << name;
    }
  }
}

}  // namespace
}  // namespace ravel
