#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ravel_race_tests() in a user's CMake project, with find_package(Ravel) from the build directory: CTest runs the race
tests, and what the project delivers contains nothing of them. RAVEL names the tool."""

import pathlib
import re
import shutil
import tempfile
import unittest

import suite

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(shop CXX)
find_package(Ravel REQUIRED)
find_package(Threads REQUIRED)
enable_testing()

foreach(name IN ITEMS shop shop_fixed)
  add_library(${name} STATIC product/prices.cpp product/cache.h)
  target_include_directories(${name} PUBLIC product)
  target_compile_features(${name} PUBLIC cxx_std_17)
  target_compile_definitions(${name} PRIVATE "TITLE=\\"a shop\\"")
  target_compile_options(${name} PRIVATE -Wall -Werror)
  target_link_libraries(${name} PUBLIC Threads::Threads)
  if(name STREQUAL "shop_fixed")
    target_compile_definitions(${name} PUBLIC FIXED)
  endif()
  ravel_race_tests(TARGET ${name} TESTS races)
endforeach()

# A program that is its own test, with other comments.
add_executable(app app.cpp)
target_link_libraries(app PRIVATE shop)
ravel_race_tests(TARGET app TESTS app_races NAME whole_app PREFIX "sync point ")
"""
APP = """#include <thread>

#include "prices.h"

int counted;

int main() {
  shop::Prices prices;
  std::thread one([&] {
    prices.price_of(1);
    /* sync point 1 */
    ++counted;
  });
  std::thread two([&] { ++counted; /* sync point 2 */ });
  one.join();
  two.join();
}
"""
APP_RACE = """test the_whole
at app.cpp main 1   wait("counted")
at app.cpp main 2   notify("counted")
expect race at app.cpp main access 1 of counted and app.cpp main access 2 of counted
"""
APP_TEST = """#include <ravel/race_test.h>

extern int counted;

RAVEL_RACE_PROGRAM(the_whole, [] { counted = 0; }, nullptr)
"""


class CMake(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="ravel-cmake-"))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        for name in ("prices.h", "prices.cpp", "cache.h"):
            self.path("product").mkdir(exist_ok=True)
            shutil.copy(suite.HERE / "product" / name, self.path("product"))
        shutil.copytree(suite.HERE / "races/cache_eviction", self.path("races/cache_eviction"))
        for name in ("main.cpp", "threads.h"):
            shutil.copy(suite.HERE / "races" / name, self.path("races"))
        self.path("app_races/app").mkdir(parents=True)
        for name, text in (("CMakeLists.txt", PROJECT), ("app.cpp", APP), ("app_races/app/race.txt", APP_RACE),
                           ("app_races/app/test.cpp", APP_TEST)):
            self.path(name).write_text(text)

    def path(self, *names):
        return self.directory.joinpath(*names)

    def run_tool(self, *words, code=0):
        ended, text = suite.run(words, self.directory, timeout=500)
        self.assertEqual(ended, code, f"{words}\n{text}")
        return text

    def configure(self, code=0):
        return self.run_tool("cmake", "-G", "Ninja", "-S", ".", "-B", "build",
                             "-D", f"Ravel_DIR={suite.RAVEL.parent.parent / 'lib/cmake/Ravel'}", code=code)

    def build(self, code=0):
        return self.run_tool("cmake", "--build", "build", "-j2", code=code)

    def test_ctest_runs_the_race_tests_and_the_product_has_nothing_of_them(self):
        self.configure()
        self.build()
        results = dict(re.findall(r"Test +#\d+: (\S+) \.+ *(?:\*\*\*)?(\w+)", self.run_tool(
            "ctest", "--test-dir", "build", "-j2", code=8)))
        self.assertEqual(results, {"shop_race_tests/cache_eviction": "Failed", "whole_app/the_whole": "Failed",
                                   "shop_fixed_race_tests/cache_eviction": "Passed"})
        self.assertIn("cache.h:25", self.run_tool("ctest", "--test-dir", "build", "-R", "^shop_race_tests/cache", "-V", code=8))
        for delivered in ("libshop.a", "libshop_fixed.a", "app"):
            self.assertNotIn("ravel_sync", self.run_tool("nm", f"build/{delivered}"))
        self.assertIn("ravel_sync_wait", self.run_tool("nm", "build/whole_app"))
        self.woven_again_when_something_changes()

    def woven_again_when_something_changes(self):
        self.assertIn("no work to do", self.build())
        # A header that was woven: everything is rebuilt at once.
        header = self.path("product/cache.h")
        header.write_text(header.read_text().replace("#include <array>", "#include <array>\n\n"))
        self.assertIn("Linking CXX executable shop_race_tests", self.build())
        self.assertIn("no work to do", self.build())
        # Only what is expected: nothing is compiled, and the list of tests is new.
        race = self.path("app_races/app/race.txt")
        race.write_text(re.sub("expect .*", "expect data-race", race.read_text()))
        text = self.build()
        self.assertIn("Weaving the race tests of app", text)
        self.assertNotIn("Building", text)
        self.assertIn('"points": []', self.path("build/whole_app.race-tests.json").read_text())
        # A mistake stops the build with its message.
        race.write_text(APP_RACE.replace("main 1", "main 7"))
        self.assertRegex(self.build(code=1), r"ravel: \S+/app_races/app/race.txt:2: ")
        # What a library compiles that the target links does not belong to the target.
        race.write_text('test the_whole\nat prices.cpp shop::Prices::slow_price access 1 of price   notify("x")\n')
        self.assertRegex(self.build(code=1), r"race.txt:2: no compiled source, .* is called prices.cpp")

    def test_wrong_calls_are_told_when_configuring(self):
        for call, expected in (("ravel_race_tests(TARGET nobody TESTS races)", "there is no target nobody"),
                               ("ravel_race_tests(TARGET app TESTS product)", "has no race test"),
                               ("ravel_race_tests(TARGET app TESTS races DETECTOR eyes)", "eyes is not a detector"),
                               ("ravel_race_tests(TARGET app)", "write ravel_race_tests(TARGET")):
            with self.subTest(call):
                self.path("CMakeLists.txt").write_text(
                    "cmake_minimum_required(VERSION 3.25)\nproject(shop CXX)\nfind_package(Ravel REQUIRED)\n"
                    f"add_executable(app app.cpp)\n{call}\n")
                self.assertIn(expected, " ".join(self.configure(code=1).split()))


if __name__ == "__main__":
    unittest.main()
