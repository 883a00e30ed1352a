// SPDX-License-Identifier: Apache-2.0
// A class for tests of driver/reproduce: a logger with a filter, as ravel-analyzer would list it.
#pragma once

#include "driver/reproduce/class_listing.h"

namespace ravel::testing {

inline ClassListing sample_listing() {
  ClassListing listing;
  listing.name = "app::Logger";
  listing.declarations =
      "struct FilterTrue : app::Filter {\n  bool passes() const override { return true; }\n};\n"
      "struct FilterFalse : app::Filter {\n  bool passes() const override { return false; }\n};\n";
  listing.slots = {{"filter1", "FilterTrue", "FilterTrue()"}, {"filter2", "FilterFalse", "FilterFalse()"}};
  listing.pools = {{"std::string", {"\"a\"", "\"\""}}, {"app::Filter *", {"&$filter1", "&$filter2", "nullptr"}}};
  listing.operations = {
      {CallRole::constructor, "app::Logger::Logger", "app::Logger", "Logger(std::string)", {0}, false},
      {CallRole::pointer_factory, "app::Logger::make", "app::Logger::make", "make()", {}, false},
      {CallRole::method, "app::Logger::info", "info", "info(std::string)", {0}, false},
      {CallRole::method, "app::Logger::set_filter", "set_filter", "set_filter(app::Filter *)", {1}, false}};
  return listing;
}

}  // namespace ravel::testing
