// SPDX-License-Identifier: Apache-2.0
// AnalyzerRequest and AnalyzerAnswer: what ravel-analyzer gets and returns, and their JSON (docs/formats/analyzer.md).
// Plain values.
#pragma once

#include <string>
#include <vector>

#include "analysis/points/parsed_file.h"
#include "analysis/points/point.h"
#include "analysis/points/statement_lines.h"
#include "analysis/weave/action.h"
#include "analysis/weave/naming.h"

namespace ravel {

// A point to locate, without an action.
struct Place {
  PointName point;
  std::string origin;
};

struct AnalyzerRequest {
  bool write = false;   // "weave"; otherwise "locate"
  bool naming = false;  // "name": from places to names
  ParseInput source;
  std::string prefix = "ravel:";
  std::string out;
  std::vector<Action> actions;
  std::vector<Place> places;
  std::vector<PlaceToName> unnamed;
};

struct LocatedPoint {
  std::string origin;
  unsigned line = 0;
  unsigned column = 0;
  StatementLines statement;
  StatementLines definition;  // of the function
  std::string function;
  std::string signature;
};

struct AnalyzerAnswer {
  std::vector<LocatedPoint> points;
  std::vector<LocatedPoint> places;
  std::vector<NamedPlace> names;  // one for each unnamed place of the request
  std::vector<Problem> errors;    // not empty: nothing was written
  std::string include_directory;
};

// False: `problem` says what is wrong with the text.
bool read_request(const std::string& text, AnalyzerRequest& request, Problem& problem);
std::string write_answer(const AnalyzerAnswer& answer);

}  // namespace ravel
