// SPDX-License-Identifier: Apache-2.0
#include "driver/futures/future_choice.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>

namespace ravel {
namespace {

constexpr const char* kExample = "example: --force \"t3.cpp:21 <- t1.cpp:8\", or \"t3.cpp:21 n #2 T2 <- initial\"";

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (c != ' ' && c != '\t') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

bool parse_number(std::string_view text, std::uint32_t& number) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

Result<ChoicePlace> parse_place(const std::string& text, const std::string& whole) {
  const std::vector<std::string> words = words_of(text);
  ChoicePlace place;
  const std::size_t colon = words.empty() ? std::string::npos : words[0].rfind(':');
  if (colon == std::string::npos || colon == 0 || !parse_number(words[0].substr(colon + 1), place.line) ||
      place.line == 0) {
    return Status::trouble(fmt::format("'{}' names no place: '{}' is not FILE:LINE", whole, text), kExample);
  }
  place.file = words[0].substr(0, colon);
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    std::uint32_t number = 0;
    if (word[0] == '#') {
      if (!parse_number(std::string_view(word).substr(1), number) || number == 0) {
        return Status::trouble(fmt::format("'{}': '{}' is not an occurrence", whole, word), "write #2 for the second");
      }
      place.occurrence = number;
    } else if (word[0] == 'T' && word.size() > 1 && parse_number(std::string_view(word).substr(1), number)) {
      place.task = number;
    } else if (place.variable.empty()) {
      place.variable = word;
    } else {
      return Status::trouble(fmt::format("'{}' has an extra word: '{}'", whole, word), kExample);
    }
  }
  return place;
}

bool ends_with_path(const std::string& path, const std::string& end) {
  if (!path.ends_with(end)) return false;
  return path.size() == end.size() || path[path.size() - end.size() - 1] == '/' || end[0] == '/';
}

std::string place_text(const ChoicePlace& place) {
  std::string text = fmt::format("{}:{}", place.file, place.line);
  if (!place.variable.empty()) text += " " + place.variable;
  if (place.occurrence != 0) text += fmt::format(" #{}", place.occurrence);
  if (place.task != kNoTask) text += fmt::format(" T{}", place.task);
  return text;
}

bool at_place(const ChoicePlace& place, const SourcePlace& source) {
  return source.line == place.line && ends_with_path(source.file, place.file);
}

}  // namespace

Result<FutureChoice> parse_choice(const std::string& text) {
  const std::size_t arrow = text.find("<-");
  if (arrow == std::string::npos) {
    return Status::trouble(fmt::format("'{}' is not a choice: there is no '<-' between the read and the write", text),
                           kExample);
  }
  FutureChoice choice;
  choice.text = text;
  const auto read = parse_place(text.substr(0, arrow), text);
  if (!read.is_ok()) return read.status();
  choice.read = read.value();
  const std::string write = text.substr(arrow + 2);
  if (words_of(write) == std::vector<std::string>{"initial"}) {
    choice.initial = true;
    return choice;
  }
  const auto place = parse_place(write, text);
  if (!place.is_ok()) return place.status();
  choice.write = place.value();
  return choice;
}

Result<FutureChoice> parse_initial(const std::string& text) {
  const auto read = parse_place(text, text);
  if (!read.is_ok()) return read.status();
  return FutureChoice{text + " <- initial", read.value(), true, {}};
}

bool fits(const ChoicePlace& place, ChoiceSide side, const ObservedExecution& seen, const ObservedEvent& event) {
  const bool reads = side == ChoiceSide::read;
  if (!(reads ? event.reads : event.writes)) return false;
  const std::uint32_t occurrence = reads ? event.read_occurrence : event.write_occurrence;
  if (event.variable == 0 || !at_place(place, seen.places[event.place])) return false;
  if (place.task != kNoTask && place.task != event.task()) return false;
  if (place.occurrence != 0 && place.occurrence != occurrence) return false;
  return place.variable.empty() || place.variable == seen.variables[event.variable].name;
}

Status check_choices(std::span<const FutureChoice> choices) {
  for (std::size_t i = 0; i < choices.size(); ++i) {
    for (std::size_t j = i + 1; j < choices.size(); ++j) {
      const ChoicePlace& a = choices[i].read;
      const ChoicePlace& b = choices[j].read;
      const bool same_place = a.line == b.line && (ends_with_path(a.file, b.file) || ends_with_path(b.file, a.file)) &&
                              a.task == b.task && a.occurrence == b.occurrence && a.variable == b.variable;
      // Writes at different places may be to different variables of one line: running them will show.
      const bool same_write = choices[i].initial && choices[j].initial;
      if (same_place && (same_write || !a.variable.empty())) {
        return Status::trouble(fmt::format("two choices are for the read at {}: '{}' and '{}'", place_text(a),
                                           choices[i].text, choices[j].text),
                               "keep one, or tell the occurrences apart: #1 and #2");
      }
    }
  }
  return Status::ok();
}

Status check_against(std::span<const FutureChoice> choices, std::span<const ObservedExecution* const> seen) {
  const auto any_event = [&](const auto& want) {
    return std::any_of(seen.begin(), seen.end(), [&](const ObservedExecution* one) {
      return std::any_of(one->events.begin(), one->events.end(),
                         [&](const ObservedEvent& event) { return want(*one, event); });
    });
  };
  for (const FutureChoice& choice : choices) {
    const auto check_place = [&](const ChoicePlace& place, bool read) -> Status {
      if (any_event([&](const ObservedExecution& one, const ObservedEvent& event) {
            return fits(place, read ? ChoiceSide::read : ChoiceSide::write, one, event);
          })) {
        return Status::ok();
      }
      const bool on_line = any_event([&](const ObservedExecution& one, const ObservedEvent& event) {
        return at_place(place, one.places[event.place]);
      });
      if (!on_line) {
        std::set<std::uint32_t> lines;
        any_event([&](const ObservedExecution& one, const ObservedEvent& event) {
          const SourcePlace& source = one.places[event.place];
          if (ends_with_path(source.file, place.file) && event.variable != 0 && (read ? event.reads : event.writes)) {
            lines.insert(source.line);
          }
          return false;
        });
        std::string known;
        for (const std::uint32_t line : lines) known += fmt::format("{}{}", known.empty() ? "" : ", ", line);
        if (known.empty()) {
          return Status::trouble(
              fmt::format("'{}': the threads of the program do nothing in {}", choice.text, place.file),
              "name the file as the table of `ravel futures` does");
        }
        return Status::trouble(fmt::format("'{}': the program did nothing at {}:{} that another thread could notice",
                                           choice.text, place.file, place.line),
                               fmt::format("its shared {} are in the lines {}", read ? "reads" : "writes", known));
      }
      const bool without_details = any_event([&](const ObservedExecution& one, const ObservedEvent& event) {
        return event.variable != 0 && at_place(place, one.places[event.place]) && (read ? event.reads : event.writes);
      });
      if (without_details) {
        return Status::trouble(fmt::format("'{}': the {} at {}:{} was never one of {}", choice.text,
                                           read ? "read" : "write", place.file, place.line, place_text(place)),
                               "leave out the variable, the task or the occurrence");
      }
      return Status::trouble(fmt::format("'{}': the line {}:{} has no shared {}", choice.text, place.file, place.line,
                                         read ? "read" : "write"),
                             "`ravel futures` without --force lists what can be chosen");
    };
    if (Status status = check_place(choice.read, true); !status.is_ok()) return status;
    if (choice.initial) continue;
    if (Status status = check_place(choice.write, false); !status.is_ok()) return status;
  }
  return Status::ok();
}

std::vector<std::vector<ReadChoice>> ways_to_choose(std::span<const FutureChoice> choices,
                                                    const ObservedExecution& seen, std::size_t most) {
  std::vector<std::vector<ReadChoice>> ways(1);
  std::set<std::size_t> named;  // reads named by a choice with a write
  const auto extend = [&](const std::vector<std::vector<ReadChoice>>& options) {
    std::vector<std::vector<ReadChoice>> longer;
    for (const auto& way : ways) {
      for (const auto& option : options) {
        const bool twice = std::any_of(option.begin(), option.end(), [&](const ReadChoice& a) {
          return std::any_of(way.begin(), way.end(), [&](const ReadChoice& b) { return a.read == b.read; });
        });
        if (twice || longer.size() >= most) continue;
        longer.push_back(way);
        longer.back().insert(longer.back().end(), option.begin(), option.end());
      }
    }
    ways = std::move(longer);
  };
  for (const FutureChoice& choice : choices) {
    if (choice.initial) continue;
    std::vector<std::vector<ReadChoice>> options;
    for (std::size_t r = 0; r < seen.events.size(); ++r) {
      const ObservedEvent& read = seen.events[r];
      if (!fits(choice.read, ChoiceSide::read, seen, read)) continue;
      for (std::size_t w = 0; w < seen.events.size() && options.size() < most; ++w) {
        const ObservedEvent& write = seen.events[w];
        if (w == r || write.variable != read.variable || !overlap(read.operation, write.operation)) continue;
        if (!fits(choice.write, ChoiceSide::write, seen, write)) continue;
        options.push_back({{r, static_cast<std::int64_t>(w)}});
        named.insert(r);
      }
    }
    extend(options);
  }
  for (const FutureChoice& choice : choices) {
    if (!choice.initial) continue;
    // Per task and occurrence, all the variables of the line together.
    std::map<std::pair<TaskId, std::uint32_t>, std::vector<ReadChoice>> together;
    for (std::size_t r = 0; r < seen.events.size(); ++r) {
      const ObservedEvent& read = seen.events[r];
      if (!fits(choice.read, ChoiceSide::read, seen, read)) continue;
      const bool taken = choice.read.variable.empty() && named.contains(r);
      if (!taken) together[{read.task(), read.read_occurrence}].push_back({r, kInitialValue});
    }
    std::vector<std::vector<ReadChoice>> options;
    options.reserve(together.size());
    for (auto& [who, reads] : together) options.push_back(std::move(reads));
    extend(options);
  }
  return ways;
}

bool shows(const ObservedExecution& seen, std::span<const FutureChoice> choices) {
  constexpr std::size_t kMost = 4096;
  const auto ways = ways_to_choose(choices, seen, kMost);
  return std::any_of(ways.begin(), ways.end(), [&](const std::vector<ReadChoice>& way) {
    return std::all_of(way.begin(), way.end(),
                       [&](const ReadChoice& one) { return seen.events[one.read].source == one.write; });
  });
}

}  // namespace ravel
