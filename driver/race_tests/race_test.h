// SPDX-License-Identifier: Apache-2.0
// RaceTest: one race test as values: points in the sources, what happens at them, what is expected of a run.
//
// Made by the reader of race.txt (race_file.h) and by whatever writes such files; read by weaving, running and
// selecting. Plain data.
#pragma once

#include <cctype>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/finding.h"

namespace ravel {

// Whether a name in the sources can contain this character.
inline bool is_word_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// How a place in the source is named.
enum class PointKind : std::uint8_t {
  comment,  // the comment with this number
  line,     // the line with this number
  call,     // the number-th call of `name`
  access,   // the number-th access to `name`
};

struct Point {
  PointKind kind = PointKind::comment;
  std::string path;   // the end of the path of a source file, on whole names
  std::string scope;  // "List::add", "add(int)"; empty: the whole file, and always for a line
  unsigned number = 0;
  std::string name;  // call, access: of what

  friend bool operator==(const Point&, const Point&) = default;
};

enum class ActionKind : std::uint8_t { wait, notify };

struct Action {
  Point point;
  ActionKind kind = ActionKind::wait;
  bool after = false;  // call, access: after it, not before
  std::string event;
  std::string condition;  // C++, in the scope of the point; empty: always
  unsigned arrival = 0;   // which one; 0: every
  unsigned task = 0;      // which one, in order of creation; 0: any
  unsigned line = 0;      // its line in the file

  friend bool operator==(const Action&, const Action&) = default;
};

// What a run should report. A data race has both points, in any order, or none for a race anywhere.
struct Expectation {
  FindingKind kind = FindingKind::data_race;
  std::vector<Point> points;
  unsigned line = 0;

  friend bool operator==(const Expectation&, const Expectation&) = default;
};

struct RaceTest {
  std::string name;
  unsigned name_line = 0;                      // 0: the name of its directory
  std::filesystem::path file;                  // race.txt
  std::vector<std::filesystem::path> sources;  // *.cpp next to it, sorted
  std::vector<std::string> arguments;          // `run`: what the program gets after its own arguments
  unsigned arguments_line = 0;                 // 0: the file has no such line
  std::vector<Action> actions;
  std::optional<Expectation> expectation;

  friend bool operator==(const RaceTest&, const RaceTest&) = default;
};

}  // namespace ravel
