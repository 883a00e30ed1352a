// SPDX-License-Identifier: Apache-2.0
// The standard library: regular expressions, string streams, locales and the standard streams, used by several tasks.
#include "variants.h"

#include <cassert>
#include <iomanip>
#include <iostream>
#include <locale>
#include <regex>
#include <sstream>
#include <string>
#include <thread>

static void regex() {
  static const std::regex pair("([a-z]+)=([0-9]+)");  // const: several tasks may match with it
  auto match = [](const std::string& text, const std::string& key) {
    std::smatch found;
    bool matched = std::regex_match(text, found, pair);
    assert(matched && found[1] == key);
    std::regex own("[0-9]");
    assert(std::regex_replace(found[2].str(), own, "#") == "##");
  };
  std::thread one(match, "size=10", "size");
  match("width=20", "width");
  one.join();
}

static void string_streams() {
  auto format = [](int value) {
    std::ostringstream out;
    out << std::setw(6) << std::setfill('0') << value << ' ' << 1.5 << std::boolalpha << true;
    std::istringstream in(out.str());
    int read = 0;
    in >> std::dec >> read;
    assert(read == value);
    std::locale copy = out.getloc();
    assert(std::use_facet<std::ctype<char>>(copy).toupper('a') == 'A');
  };
  std::thread one(format, 12);
  std::thread two(format, 345);
  one.join();
  two.join();
}

// Concurrent use of a synchronised standard stream is no data race ([iostream.objects.overview]).
static void standard_streams() {
  auto print = [](int self) {
    std::cout << "task " << self << '\n';
    std::cerr << "task " << self << " again\n";
  };
  std::thread one(print, 1);
  std::thread two(print, 2);
  one.join();
  two.join();
  std::cout << std::flush;
}

int main(int count, char** arguments) {
  return run_variant(count, arguments,
                     {{"regex", regex}, {"string_streams", string_streams}, {"standard_streams", standard_streams}});
}
