// SPDX-License-Identifier: Apache-2.0
// write_test(): a test as a C++ program that people read: the prefix, then the calls at the same time. As a plain
// program, or as a case of GoogleTest that ravel::explore explores.
//
// Who calls it: reproduce(). Thread safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "driver/reproduce/class_listing.h"
#include "driver/reproduce/test_search.h"

namespace ravel {

struct TestText {
  std::string includes;               // of the headers, as lines
  std::vector<std::string> comments;  // above it, one line each
  bool googletest = false;
};

std::string write_test(const ClassListing& given, const TestCandidate& test, const TestText& text);

// "logger.info("a")".
std::string call_text(const ClassListing& listing, const Call& call);

// The calls of a test as its reader counts them: those of the prefix and of the threads, and the objects made for them.
std::size_t test_size(const ClassListing& listing, const TestCandidate& test);

}  // namespace ravel
