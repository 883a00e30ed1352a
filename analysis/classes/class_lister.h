// SPDX-License-Identifier: Apache-2.0
// list_class(): the public interface of a class as calls that a test can make, with values for their parameters. A C
// library has functions over a handle in place of a class: handle_lister lists those, with the same answer.
//
// Who calls it: the analyzer, for `ravel reproduce`. Thread safety: none.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/classes/class_listing.h"
#include "analysis/points/parsed_file.h"

namespace ravel {

struct ClassQuestion {
  std::vector<std::string> headers;  // absolute
  std::string class_name;            // as C++ spells it: "app::Logger", "Cache<int>"; or the type of the handle
  bool handle = false;
  bool c_headers = false;              // they are C, and may not say so to a C++ compiler
  std::vector<std::string> arguments;  // of the compiler
  std::string directory;
  std::map<std::string, std::vector<std::string>> values;  // of the user, by type
};

ClassListing list_class(const ClassQuestion& question, std::vector<CompilerError>& errors);

}  // namespace ravel
