// SPDX-License-Identifier: Apache-2.0
// What a new process finds by name: environment variables, and programs in PATH. Thread safety: safe as long as nobody
// changes the environment, which the driver never does.
#pragma once

#include <string>
#include <vector>

namespace ravel {

// The environment of this process, with these entries ("NAME=value") replacing those of the same name.
std::vector<std::string> environment_with(const std::vector<std::string>& ours);

// `first`, followed by a colon and the value of the variable.
std::string with_first(const char* variable, const std::string& first);

// PATH, or where a shell looks when it is not set.
std::string search_path();

// The file that execvp would start: `name` itself when it has a slash, otherwise the first one of that name in PATH
// that is not in the directory `except`. Empty when there is none.
std::string find_in_path(const std::string& name, const std::string& except = "");

}  // namespace ravel
