// SPDX-License-Identifier: Apache-2.0
// An Explanation for the terminal: a summary in words, then a column for each task. Pure function.
// Thread safety: no state.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "reports/explanation.h"

namespace ravel {

struct ExplanationOptions {
  bool color = false;
  std::size_t columns = 100;
  std::size_t lines = 60;  // of the whole text; 0: no limit, with every step that others could notice
  bool stacks = true;      // of the operations that decide
};

// Ends with a newline.
std::string text_of_explanation(const Explanation& explanation, const ExplanationOptions& options = {});

// What a step did: "balance -> 100", "reads balance: 0", "lock mutex M1".
std::string effect_text(const ExplainedStep& step);

// Why the next step is another task's: "blocked on mutex M1, held by T2". Empty when it is not.
std::string leaving_text(const ExplainedStep& step);

// A source line that only closes a block, where destructors run: showing it tells nothing.
bool only_closes(std::string_view source);

}  // namespace ravel
