#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ravel::explore in real test programs: every kind of finding fails its test and nothing else, in every framework; the
schedules replay in both ways; what goes with the header works; bad use is refused in one sentence.

RAVEL is the tool, EXPLORE_PROGRAMS the folder of the compiled programs.
"""

import html
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

RAVEL = pathlib.Path(os.environ["RAVEL"]).resolve()
PROGRAMS = pathlib.Path(os.environ["EXPLORE_PROGRAMS"]).resolve()
BODIES = re.findall(r"BODY\((\w+), (\w+), \"([\w-]+)\"\)",
                    (pathlib.Path(__file__).parent / "bodies.h").read_text().split("#define BODIES")[1])


def squeezed(text):
    """Without white space: Catch2 breaks lines and indents them."""
    return "".join(text.split())


class ExploreCase(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)

    def run_program(self, program, *words, **variables):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("RAVEL", "GTEST"))}
        environment.update(RAVEL_TOOL=str(RAVEL))
        environment.update({name: value for name, value in variables.items() if value is not None})
        if variables.get("RAVEL_TOOL", "") is None:
            del environment["RAVEL_TOOL"]
        done = subprocess.run([PROGRAMS / program, *words], cwd=self.directory, text=True, env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=240)
        return done.returncode, done.stdout

    def schedules(self):
        return sorted(path for path in self.directory.glob(".ravel/**/*.ravel") if path.is_symlink())


class Findings(ExploreCase):
    """Every body in one run of the program: those that fail do, with a report and a schedule, and the others pass."""

    def check_bodies(self, output, failed_bodies):
        self.assertEqual(failed_bodies, {test for _, test, kind in BODIES if kind != "none"}, output)
        for _, test, kind in BODIES:
            if kind == "none":
                continue
            found = list((self.directory / f".ravel/Body.{test}").glob(f"[0-9]*-{kind}.ravel"))
            self.assertTrue(found, f"no schedule of {test}:\n{output}")
            self.assertIn(f"ravel replay .ravel/Body.{test}/", output)

    def test_gtest(self):
        code, output = self.run_program("with_gtest")
        self.assertEqual(code, 1, output)
        failed = set(re.findall(r"^\[  FAILED  \] (\S+) \(", output, re.M))
        self.check_bodies(output, {name[5:] for name in failed if name.startswith("Body.")})
        self.assertEqual({name for name in failed if not name.startswith("Body.")},
                         {"Framework.Expect", "Framework.Assert", "Framework.InThread", "Ordinary.TwoCalls"}, output)
        self.assertRegex(output, r"finding 1: assertion: .*\n  assertion `Expected equality of these values: lost_update\(\); "
                                 r"Which is: 1; 2; two increments` failed at .*with_gtest.cpp:\d+\n")
        self.assertNotRegex(output, r"T\d+ (\w+ )?(ravel_body_|RavelExplored_)", "columns have plain names")
        self.assertNotRegex(output, r"\block testing::", "what GoogleTest does to report a failure is no step")
        self.assertIn("[       OK ] Ordinary.Passes", output)
        self.assertIn("[       OK ] Fixture.StateIsFresh", output)

    def test_catch2(self):
        code, output = self.run_program("with_catch2")
        failed = set(re.findall(r"^-{79}\n(\S+\.\w+)\n-{79}$", output, re.M))
        self.check_bodies(output, {name[5:] for name in failed if name.startswith("Body.")})
        self.assertEqual({name for name in failed if not name.startswith("Body.")},
                         {"Framework.Check", "Framework.Require", "Framework.InThread"}, output)
        for macro in "CHECK", "REQUIRE":
            self.assertIn(f"assertion`{macro}(lost_update()==2):1==2`failedat", squeezed(output))
        failures = len(failed) + 1  # the second section
        self.assertEqual(code, failures, output)
        self.assertRegex(output, r"test cases: 22 \| 1 passed \| 21 failed")

    def test_doctest(self):
        code, output = self.run_program("with_doctest", "--no-colors=true")
        self.assertEqual(code, 1, output)
        failed = set(re.findall(r"^TEST CASE:  (\S+\.\w+)$", output, re.M))
        self.check_bodies(output, {name[5:] for name in failed if name.startswith("Body.")})
        self.assertEqual({name for name in failed if not name.startswith("Body.")},
                         {"Framework.Check", "Framework.Require", "Framework.InThread"}, output)
        for macro in "CHECK", "REQUIRE":
            self.assertRegex(output, rf"assertion `{macro}\( lost_update\(\) == 2 \): 1 == 2` failed at .*with_doctest.cpp")
        self.assertRegex(output, r"test cases: 22 \| 1 passed \| 21 failed")

    def test_main(self):
        for body, _, kind in BODIES:
            code, output = self.run_program("with_main", body)
            self.assertEqual(code, 0 if kind == "none" else 1, output)
            if kind == "uncaught-exception":
                self.assertIn("an exception of type std::runtime_error was not caught", output)
                self.assertRegex(output, r"#0 bodies::uncaught_exception\(\) .*bodies.h:\d+")
            if kind != "none":
                self.assertRegex(output, rf"kind {kind} schedule \.ravel/\d+-{kind}\.ravel")


class SameByFork(ExploreCase):
    """Forty bodies over all primitives, with one seed: the same executions, findings and schedules in both ways."""

    def explored(self, name, **variables):
        code, output = self.run_program("primitives", name, **variables)
        self.assertEqual(code, 0, output)
        schedules = {path.name: path.read_bytes() for path in self.schedules()}
        shutil.rmtree(self.directory / ".ravel", ignore_errors=True)
        return output, schedules

    def test_all_primitives(self):
        names = self.run_program("primitives")[1].split()
        self.assertGreaterEqual(len(names), 40)
        failing = 0
        for name in names:
            with self.subTest(name):
                resident, schedules = self.explored(name)
                forked, expected = self.explored(name, BY_FORK="1")
                self.assertRegex(resident, r"executions [1-9]\d* orders [1-9].* fingerprint \w{8,}")
                self.assertEqual(resident, forked)
                self.assertEqual(schedules, expected)
                failing += bool(schedules)
        self.assertGreater(failing, 5, "some of them are wrong")


class Replays(ExploreCase):
    """ravel replay FILE and RAVEL_REPLAY=FILE give the same report, byte for byte, of just that call."""

    def check(self, program, words, schedule):
        replay = subprocess.run([RAVEL, "replay", schedule], cwd=self.directory, text=True, stdout=subprocess.PIPE)
        self.assertEqual(replay.returncode, 1, replay.stdout)
        self.assertIn("replayed: same finding", replay.stdout)
        code, output = self.run_program(program, *words, RAVEL_REPLAY=str(schedule))
        self.assertNotEqual(code, 0, output)
        self.assertEqual(html.unescape(output).count(replay.stdout.rstrip()), 1,
                         f"{output}\n-- has not --\n{replay.stdout}")
        return output

    def test_main(self):
        self.run_program("with_main", "assertion")
        self.check("with_main", ["assertion"], ".ravel/1-assertion.ravel")

    def test_gtest(self):
        self.run_program("with_gtest", "--gtest_filter=Framework.Expect")
        output = self.check("with_gtest", ["--gtest_filter=Framework.*:Ordinary.Passes"],
                            ".ravel/Framework.Expect/1-assertion.ravel")
        self.assertEqual(re.findall(r"^\[  FAILED  \] (\S+) \(", output, re.M), ["Framework.Expect"])

    def test_second_call(self):
        self.run_program("with_gtest", "--gtest_filter=Ordinary.*")
        schedules = [str(path.relative_to(self.directory)) for path in self.schedules()]
        self.assertEqual(schedules, [".ravel/Ordinary.TwoCalls/1-assertion.ravel"], "the folder has the latest")
        text = (self.directory / schedules[0]).read_text()
        self.assertIn(" explore=2 ", text)
        self.assertRegex(text, r" failed=0{15}1\b", "the first call failed")
        replay = subprocess.run([RAVEL, "replay", schedules[0]], cwd=self.directory, text=True, stdout=subprocess.PIPE)
        self.assertIn("replayed: same finding", replay.stdout)

    def test_catch2(self):
        self.run_program("with_catch2", "Framework.Check")
        # The usual reporter of Catch2 breaks lines.
        self.check("with_catch2", ["Framework.*", "-r", "xml"], ".ravel/Framework.Check/1-assertion.ravel")

    def test_doctest(self):
        self.run_program("with_doctest", "-tc=Ordinary*", "--no-colors=true")
        self.check("with_doctest", ["-tc=Ordinary*,Framework.Check", "--no-colors=true"],
                   ".ravel/Ordinary__with_a_comma/1-assertion.ravel")


class Helpers(ExploreCase):
    def scenario(self, name, code, program="with_main"):
        actual, output = self.run_program(program, name)
        self.assertEqual(actual, code, output)
        return output

    def test_choose(self):
        self.assertIn("assertion `ravel::choose(5) != 3` failed", self.scenario("chooses", 1))
        # 5 * 3 executions, and no order to choose.
        self.assertRegex(self.scenario("chooses_never_wrong", 0), r"passed 1 complete 1")

    def test_label(self):
        self.assertIn("the account+4", self.scenario("labels", 1))

    def test_sync_point(self):
        self.assertIn("an update was lost", self.scenario("sync_points", 1))

    def test_atomic_section(self):
        # Two sections: two orders, and with the end of the program nothing else.
        self.assertRegex(self.scenario("sections", 0), r"complete: \d+ partial orders?")
        self.scenario("section_that_waits", 0)

    def test_globals_are_put_back_and_named(self):
        for name in "changes_globals", "changes_globals_by_fork":
            output = self.scenario(name, 0)
            sentence = "note: the body changes global variables, which are put back before the next execution: "
            named = {line.split(sentence)[1] for line in output.splitlines() if sentence in line}
            self.assertEqual(len(named), 1, output)
            self.assertEqual({re.sub(r".*::", "", one) for one in named.pop().split(", ")}, {"executions_so_far", "cached"})
        self.assertNotIn("note:", self.scenario("passes", 0))

    def test_complete(self):
        self.assertRegex(self.scenario("passes", 0), r"complete: 2 partial orders, \d+ executions")

    def test_budget(self):
        self.assertRegex(self.scenario("large", 0), r"not complete: 200 executions, \d+ distinct orders; 100 by dpor"
                                                    r"( \(of about \S+\))?, 100 by the portfolio")

    def test_uninstrumented(self):
        output = self.scenario("passes", 0, "uninstrumented")
        self.assertIn("memory was not seen: build the test with `ravel c++`", output)
        self.assertIn("deadlock", self.scenario("deadlock", 1, "uninstrumented"))

    def test_under_ravel_run(self):
        done = subprocess.run([RAVEL, "run", "--jobs", "1", "--executions", "50", "--", PROGRAMS / "with_main",
                               "assertion"], cwd=self.directory, text=True, stdout=subprocess.PIPE)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("assertion `lost_update() == 2` failed", done.stdout)

    def test_under_ravel_run_case_by_case(self):
        """A case that calls ravel::explore is explored like any other: its body is a part of it."""
        done = subprocess.run([RAVEL, "run", "--gtest", "--jobs", "1", "--executions", "300", "--", PROGRAMS / "with_gtest",
                               "--gtest_filter=Body.Deadlock:Body.Passes:Framework.Expect"], cwd=self.directory, text=True,
                              stdout=subprocess.PIPE)
        self.assertEqual(done.returncode, 1, done.stdout)
        for row in (r"Body.Deadlock +\d+ +\d+  failed: deadlock", r"Body.Passes +\d+ +\d+  passed",
                    r"Framework.Expect +\d+ +\d+  failed: exit-code"):
            self.assertRegex(done.stdout, rf"(?m)^{row}$")

    def test_helpers_without_the_runtime(self):
        for program in "with_main", "uninstrumented":
            code, output = self.run_program(program, "helpers", RAVEL_TOOL="/nowhere/ravel")
            self.assertEqual((code, output.strip()), (0, "passed 1 complete 0 partial 0"))

    def test_thread_that_was_joined_before(self):
        self.scenario("joined_before", 0)


class Misuse(ExploreCase):
    """Each is one sentence, and fails the test."""

    def refused(self, name, sentence, **variables):
        code, output = self.run_program("with_main", name, **variables)
        self.assertEqual(code, 1, output)
        self.assertIn(sentence, output)
        self.assertFalse(self.schedules(), "it is no finding")

    def test_explore_inside_explore(self):
        self.refused("nested", "the body of ravel::explore calls ravel::explore")

    def test_fork(self):
        self.refused("forks", "the body of ravel::explore forks")

    def test_exec(self):
        self.refused("execs", "the body of ravel::explore replaces the process with another program (exec)")

    def test_exit(self):
        self.refused("exits", "the body of ravel::explore calls exit")
        self.refused("exits_in_thread", "the body of ravel::explore calls exit")

    def test_thread_from_before(self):
        self.refused("thread_before", "a thread that was started before ravel::explore still runs at the call")

    def test_a_call_that_is_not_reached(self):
        self.refused("unreachable", "was started again for its call of ravel::explore, and ended before it")

    def test_no_tool(self):
        self.refused("passes", "ravel::explore needs the tool `ravel`: put it on the PATH", RAVEL_TOOL="/nowhere/ravel")

    def test_tool_beside_the_runtime(self):
        code, output = self.run_program("with_main", "passes", RAVEL_TOOL=None, PATH="/nowhere")
        self.assertEqual(code, 0, output)

    def test_tool_in_the_path(self):
        code, output = self.run_program("uninstrumented", "passes", RAVEL_TOOL=None, PATH=str(RAVEL.parent))
        self.assertEqual(code, 0, output)
        code, output = self.run_program("uninstrumented", "passes", RAVEL_TOOL=None, PATH="/nowhere")
        self.assertEqual(code, 1, output)

    def test_a_schedule_of_something_else(self):
        subprocess.run([RAVEL, "run", "--jobs", "1", "--", PROGRAMS / "with_main", "assertion"], cwd=self.directory,
                       stdout=subprocess.DEVNULL)
        code, output = self.run_program("with_main", "assertion", RAVEL_REPLAY=".ravel/1-assertion.ravel")
        self.assertEqual(code, 1, output)
        self.assertIn("is not a schedule of a ravel::explore call", output)


if __name__ == "__main__":
    unittest.main()
