// SPDX-License-Identifier: Apache-2.0
// ravel-analyzer: reads a request from standard input, writes the answer to standard output. `ravel` starts it for what
// needs Clang; users do not. Exit code 0: the answer is "ok"; 2: it has errors.
#include <iostream>
#include <iterator>
#include <string>

#include "analysis/analyzer/analyzer.h"
#include "analysis/analyzer/class_request.h"
#include "analysis/analyzer/futures_request.h"
#include "analysis/analyzer/pairs_request.h"

int main() {
  const std::string text((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
  if (ravel::is_futures_request(text)) {
    bool ok = false;
    std::cout << ravel::answer_futures(text, ok) << std::flush;
    return ok ? 0 : 2;
  }
  if (ravel::is_pairs_request(text)) {
    bool ok = false;
    std::cout << ravel::answer_pairs(text, ok) << std::flush;
    return ok ? 0 : 2;
  }
  if (ravel::is_class_request(text)) {
    bool ok = false;
    std::cout << ravel::answer_class(text, ok) << std::flush;
    return ok ? 0 : 2;
  }
  ravel::AnalyzerRequest request;
  ravel::AnalyzerAnswer answer;
  ravel::Problem problem;
  if (ravel::read_request(text, request, problem)) {
    answer = ravel::answer(request);
  } else {
    answer.errors.push_back(problem);
  }
  std::cout << ravel::write_answer(answer) << std::flush;
  return answer.errors.empty() ? 0 : 2;
}
