// SPDX-License-Identifier: Apache-2.0
// Names of functions as demanglers and debuggers write them, taken apart.
#include "driver/crash/function_name.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ravel {
namespace {

struct Expected {
  const char* text;
  const char* scope;
  const char* method;
  const char* qualified;
};

TEST(FunctionName, HasScopeAndMethod) {
  const Expected cases[] = {
      {"main", "", "main", "main"},
      {"run(int)", "", "run", "run"},
      {"app::Logger::log(char const*)", "app::Logger", "log", "app::Logger::log"},
      {"app::Ring<int, std::pair<int, char> >::push(int)", "app::Ring<int, std::pair<int, char>>", "push",
       "app::Ring::push"},
      // Return types are in front of template functions only, and may be anything.
      {"void app::visit<int>(int)", "app", "visit", "app::visit"},
      {"std::vector<int, std::allocator<int> >& app::Ring<int>::all<char>(char)", "app::Ring<int>", "all",
       "app::Ring::all"},
      {"decltype ((f)(0)) app::Logger::visit<int>(int)", "app::Logger", "visit", "app::Logger::visit"},
      {"decltype(auto) app::Logger::visit<int>(int)", "app::Logger", "visit", "app::Logger::visit"},
      {"void (*app::choose<int>(int))(char)", "app", "choose", "app::choose"},
      {"std::enable_if<(1>0), int>::type app::Axis::tick<int>(int)", "app::Axis", "tick", "app::Axis::tick"},
      // Operators.
      {"app::Axis::operator<(app::Axis const&) const", "app::Axis", "operator<", "app::Axis::operator<"},
      {"bool app::Axis::operator< <int>(int) const", "app::Axis", "operator<", "app::Axis::operator<"},
      {"app::Logger::operator<<(int)", "app::Logger", "operator<<", "app::Logger::operator<<"},
      {"app::Axis::operator<=>(app::Axis const&) const", "app::Axis", "operator<=>", "app::Axis::operator<=>"},
      {"app::Task::operator()(int) const", "app::Task", "operator()", "app::Task::operator()"},
      {"app::Handle::operator->() const", "app::Handle", "operator->", "app::Handle::operator->"},
      {"app::Handle::operator->*(int)", "app::Handle", "operator->*", "app::Handle::operator->*"},
      {"app::Table::operator[](unsigned long)", "app::Table", "operator[]", "app::Table::operator[]"},
      {"operator new[](unsigned long)", "", "operator new[]", "operator new[]"},
      {"app::Pool::operator delete(void*)", "app::Pool", "operator delete", "app::Pool::operator delete"},
      {"app::Axis::operator bool() const", "app::Axis", "operator bool", "app::Axis::operator bool"},
      {"app::Axis::operator std::vector<int>() const", "app::Axis", "operator std::vector<int>",
       "app::Axis::operator std::vector<int>"},
      {"app::operator\"\"_km(long double)", "app", "operator\"\"_km", "app::operator\"\"_km"},
      {"app::operators(int)", "app", "operators", "app::operators"},
      // Constructors and destructors.
      {"app::Session::Session(char const*)", "app::Session", "Session", "app::Session::Session"},
      {"app::Session::~Session()", "app::Session", "~Session", "app::Session::~Session"},
      // A lambda belongs to the function that contains it.
      {"Foo::bar()::{lambda(int)#1}::operator()(int) const", "Foo", "bar", "Foo::bar::{lambda(int)#1}::operator()"},
      {"Foo::bar() const::{lambda(int)#1}::operator()(int) const", "Foo", "bar",
       "Foo::bar::{lambda(int)#1}::operator()"},
      {"Foo::bar()::'lambda'(int)::operator()(int) const", "Foo", "bar", "Foo::bar::'lambda'(int)::operator()"},
      {"Foo::bar()::$_0::operator()(int) const", "Foo", "bar", "Foo::bar::$_0::operator()"},
      {"Foo::bar(int)::<lambda(int)>::operator()(int) const", "Foo", "bar", "Foo::bar::<lambda(int)>::operator()"},
      {"main::{lambda()#2}::operator()() const", "", "main", "main::{lambda()#2}::operator()"},
      {"auto f()::{lambda(auto:1)#1}::operator()<int>(int) const::{lambda()#1}::operator()() const", "", "f",
       "f::{lambda(auto:1)#1}::operator()::{lambda()#1}::operator()"},
      // Namespaces without a name are no classes.
      {"app::(anonymous namespace)::length(int)", "", "length", "app::(anonymous namespace)::length"},
      {"(anonymous namespace)::Ring::push(int)", "(anonymous namespace)::Ring", "push",
       "(anonymous namespace)::Ring::push"},
      {"{anonymous}::f()", "", "f", "{anonymous}::f"},
      {"app::`anonymous namespace'::length", "", "length", "app::`anonymous namespace'::length"},
      // What compilers add.
      {"app::name[abi:cxx11](int)", "app", "name", "app::name"},
      {"app::Logger::name[abi:cxx11]() const", "app::Logger", "name", "app::Logger::name"},
      {"app::Logger::log(int) [clone .isra.0] [clone .cold]", "app::Logger", "log", "app::Logger::log"},
      {"app::Logger::log(int) (.isra.0)", "app::Logger", "log", "app::Logger::log"},
      {"log.constprop.0", "", "log", "log"},
      {"clock_nanosleep@GLIBC_2.2.5", "", "clock_nanosleep", "clock_nanosleep"},
      {"non-virtual thunk to app::Logger::log(int)", "app::Logger", "log", "app::Logger::log"},
      {"void app::Logger::each<int>(int) requires std::is_same<int, int>::value", "app::Logger", "each",
       "app::Logger::each"},
      {"::app::run()", "app", "run", "app::run"},
  };
  for (const Expected& expected : cases) {
    const FunctionName name = parse_function_name(expected.text);
    EXPECT_EQ(name.scope(), expected.scope) << expected.text;
    EXPECT_EQ(name.method(), expected.method) << expected.text;
    EXPECT_EQ(name.qualified(), expected.qualified) << expected.text;
  }
}

TEST(FunctionName, HasArgumentsParametersAndQualifiers) {
  const FunctionName name = parse_function_name(
      "std::pair<int, int> app::Ring<int, (app::Mode)2>::visit<void (*)(int), &app::operator< >(int, void (*)(char, "
      "int)) const && noexcept");
  ASSERT_EQ(name.parts.size(), 3U);
  EXPECT_EQ(name.result, "std::pair<int, int>");
  EXPECT_EQ(name.parts[1].arguments, (std::vector<std::string>{"int", "(app::Mode)2"}));
  EXPECT_EQ(name.parts[2].arguments, (std::vector<std::string>{"void (*)(int)", "&app::operator<"}));
  EXPECT_EQ(name.parts[2].parameters, "int, void (*)(char, int)");
  EXPECT_EQ(name.parts[2].qualifiers, "const && noexcept");
  EXPECT_EQ(parse_function_name("main").parts[0].parameters, std::nullopt);
  EXPECT_EQ(parse_function_name("main()").parts[0].parameters, "");
}

TEST(FunctionName, KnowsWhatCanOnlyBeAMethod) {
  for (const char* const text :
       {"Foo::Foo()", "Foo::~Foo()", "Foo::get() const", "Foo::get() &&", "Foo<int>::get()", "Foo::operator()(int)",
        "Foo::operator int()", "Foo::get() const::{lambda()#1}::operator()() const"}) {
    EXPECT_TRUE(parse_function_name(text).is_surely_method()) << text;
  }
  for (const char* const text :
       {"foo::get()", "get()", "main::{lambda()#1}::operator()() const", "foo::get<int>()", "foo::operator new(int)"}) {
    EXPECT_FALSE(parse_function_name(text).is_surely_method()) << text;
  }
}

// Truncated reports end anywhere.
TEST(FunctionName, TruncatedNamesKeepWhatIsThere) {
  EXPECT_EQ(parse_function_name("app::Logger::log(std::vector<int").qualified(), "app::Logger::log");
  EXPECT_EQ(parse_function_name("app::Ring<std::pair<int").qualified(), "app::Ring");
  EXPECT_EQ(parse_function_name("app::Logger::operator").method(), "operator");
  EXPECT_TRUE(parse_function_name("").parts.empty());
  EXPECT_EQ(parse_function_name(" * ").qualified(), "*");
}

TEST(FunctionName, TakesLinearTime) {
  for (const char* const piece : {"(", "<", "a<", "a::", "operator<", "{", "'", "a(b)::", "[", "a ", "`", "(*"}) {
    std::string text;
    while (text.size() < 200'000) text += piece;
    parse_function_name(text);  // the test's time limit is the expectation
  }
}

}  // namespace
}  // namespace ravel
