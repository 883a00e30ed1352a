// SPDX-License-Identifier: Apache-2.0
// What a new process finds by name: its variables, and programs in PATH. Thread safety: as long as nobody changes the
// environment, which the driver never does.
#pragma once

#include <string>
#include <vector>

namespace ravel {

// The environment of this process, with these entries ("NAME=value") in place of what it has under their names.
std::vector<std::string> environment_with(const std::vector<std::string>& ours);

// `first`, and behind a colon what the variable holds.
std::string with_first(const char* variable, const std::string& first);

// PATH, or where a shell looks without it.
std::string search_path();

// The file that execvp would start: `name` itself when it has a slash, else the first one of that name in PATH that is
// not in the directory `except`. Empty: there is none.
std::string find_in_path(const std::string& name, const std::string& except = "");

}  // namespace ravel
