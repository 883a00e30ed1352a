#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ravel-analyzer as `ravel` sees it: points are found or the answer says why not, woven copies compile, run and keep
the user's lines. ANALYZER names the program, INCLUDE the folder of ravel/sync.h."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ANALYZER = str(pathlib.Path(os.environ.get("ANALYZER", "build/bin/ravel-analyzer")).resolve())
HERE = pathlib.Path(__file__).resolve().parent
STUBS = pathlib.Path(ANALYZER).parent.parent / "tests/analysis_stubs"
INCLUDE = os.environ.get("INCLUDE", str(HERE.parent.parent / "include"))

def compilers():
    return [c for c in ("g++", "clang++", "clang++-19") if shutil.which(c)]


class Case(unittest.TestCase):
    # Headers of the library are half as long as in C++20; what is about C++20 says so.
    standard = "-std=c++17"

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.dir = pathlib.Path(holder.name).resolve()
        self.file = self.dir / "list.cpp"
        self.out = self.dir / "out/list.cpp"

    def sample(self):
        self.file.write_text((HERE / "list.cpp").read_text())

    def write(self, text):
        self.file.write_text(text)

    def ask(self, *actions, command="weave", **more):
        request = {"command": command, "file": str(self.file), "arguments": ["c++", self.standard, "-c", "list.cpp"],
                   "directory": str(self.dir), "prefix": "ravel:", "out": str(self.out), "actions": list(actions)}
        request.update(more)
        done = subprocess.run([ANALYZER], input=json.dumps(request), capture_output=True, text=True, timeout=120)
        answer = json.loads(done.stdout)
        self.assertEqual(done.returncode, 0 if answer["ok"] else 2, done.stderr)
        return answer

    def at(self, event="e", kind="notify", origin="race.txt:4", **rest):
        point = {"path": "list.cpp"}
        for key in ("scope", "number", "line", "call", "access", "nth", "path"):
            if key in rest:
                point[key] = rest.pop(key)
        return {"test": "t", "point": point, "kind": kind, "event": event, "origin": origin, **rest}

    def found(self, **point):
        """The text of the line where the point is found."""
        answer = self.ask(self.at(**point), command="locate")
        self.assertTrue(answer["ok"], answer)
        line = answer["points"][0]["line"]
        return answer["points"][0]["function"], self.file.read_text().split("\n")[line - 1].strip()

    def refused(self, **point):
        self.out.unlink(missing_ok=True)
        answer = self.ask(self.at(**point))
        self.assertFalse(answer["ok"], answer)
        self.assertFalse(self.out.exists())
        self.assertEqual(answer["errors"][0]["origin"], "race.txt:4")
        return answer["errors"][0]["message"] + " " + answer["errors"][0]["hint"]

    def weave(self, *actions, **more):
        answer = self.ask(*actions, **more)
        self.assertTrue(answer["ok"], answer)
        self.assert_only_added()
        return self.out.read_text()

    def assert_only_added(self):
        """Every byte of the file is in the copy, in order, on its own line."""
        copy = self.out.read_text().split("\n")
        self.assertEqual(copy[0], "#include <ravel/sync.h>")
        self.assertEqual(copy[1], '#line 1 "%s"' % self.file)
        lines = self.file.read_text().split("\n")
        self.assertEqual(len(lines), len(copy) - 2)
        for line, woven in zip(lines, copy[2:]):
            rest = iter(woven)
            self.assertTrue(all(c in rest for c in line), (line, woven))

    def stub(self, compiler):
        """The stub of the runtime, compiled once by each compiler for all tests of this build."""
        stub = STUBS / f"{compiler}.o"
        sources = [HERE / "sync_stub.cpp", pathlib.Path(INCLUDE, "ravel/sync.h")]
        if not stub.exists() or any(stub.stat().st_mtime < source.stat().st_mtime for source in sources):
            STUBS.mkdir(parents=True, exist_ok=True)
            mine = self.dir / "sync_stub.o"
            subprocess.run([compiler, "-std=c++20", "-I", INCLUDE, "-c", str(sources[0]), "-o", str(mine)], check=True,
                           timeout=120)
            # Another test may be linking with the old one.
            shutil.copy(mine, f"{stub}.{os.getpid()}")
            os.replace(f"{stub}.{os.getpid()}", stub)
        return str(stub)

    def run_woven(self, test="t", options=(), compiler=None):
        """Compiles the copy with every compiler; what each program prints must be the same."""
        printed = None
        for name in [compiler] if compiler else compilers():
            program = self.dir / ("program-" + name)
            done = subprocess.run([name, self.standard, "-Wall", "-Wextra", "-Wshadow", "-Werror", *options, "-I",
                                   INCLUDE, "-iquote", str(self.dir), str(self.out), self.stub(name), "-o",
                                   str(program), "-pthread"],
                                  capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, name + ": " + done.stderr)
            out = subprocess.run([str(program)], capture_output=True, text=True, timeout=60,
                                 env={**os.environ, "RAVEL_RACE_TEST": test})
            if printed is not None:
                self.assertEqual(out.stdout, printed)
            printed = out.stdout
        return printed


class Names(Case):
    """The way back: from a line and column, as debug information gives them, to a name that finds the place again."""

    def named(self, line, column=0, hint="", call=True):
        answer = self.ask(command="name", unnamed=[{"line": line, "column": column, "hint": hint, "call": call}])
        self.assertTrue(answer["ok"], answer)
        return answer["names"][0]

    def place_of(self, text, word):
        lines = self.file.read_text().split("\n")
        line = next(i for i, one in enumerate(lines) if text in one)
        return line + 1, lines[line].index(word) + 1

    def check(self, text, word, expected, hint="", call=True):
        line, column = self.place_of(text, word)
        name = self.named(line, column, hint, call)
        self.assertTrue(name["found"], (text, word))
        kind = "call" if "call" in name else "access"
        self.assertEqual(f"{name['scope']} {kind} {name['nth']} of {name[kind]}", expected)
        point = {"scope": name["scope"], kind: name[kind], "nth": name["nth"]}
        located = self.ask(self.at(**point), command="locate")
        self.assertTrue(located["ok"], located)
        self.assertEqual(located["points"][0]["line"], name["line"])
        return name

    def test_shortest_scope_that_is_the_only_one(self):
        self.sample()
        self.check("values_.clear", "clear", "grow call 1 of clear")
        self.check("value + 1);", "push_back", "add(int) call 2 of push_back", hint="push_back")
        self.check("linked_ = true", "linked_", "List::Node::link access 1 of linked_", call=False)

    def test_what_was_called_decides_among_names_of_a_line(self):
        self.write("int f(int); int g();\nvoid h() { f(g()); }\n")
        self.check("void h", "f(", "h call 1 of g", hint="g")
        self.check("void h", "g(", "h call 1 of f", hint="f")

    def test_what_a_macro_is_told_for_is_in_its_arguments(self):
        self.write("#include <cassert>\nint size();\nint more();\n"
                   "void h() { if (more()) assert(size() == 1); }\n")
        self.check("void h", "assert", "h call 1 of size", hint="size")

    def test_a_statement_of_several_lines_is_one_place(self):
        self.write("void run(void (*f)());\nint value;\nvoid h() {\n  run([] {\n    value = 1;\n  });\n}\n")
        name = self.check("  });", ")", "h call 1 of run", hint="run")
        self.assertEqual(name["statement"], [4, 3, 6, 5])

    def test_closing_braces_and_macros_have_no_names(self):
        self.sample()
        for text, word in (("COUNTED(hidden)", "COUNTED"),):
            line, column = self.place_of(text, word)
            self.assertTrue(self.named(line, column, call=False)["found"])  # its argument is written in the file
        line, _ = self.place_of("++size_;", "++")
        self.assertFalse(self.named(line + 1, 3)["found"])
        self.assertFalse(self.named(100000, 1)["found"])
        self.assertFalse(self.named(1, 1)["found"])

    def test_says_where_actions_can_stand(self):
        self.write("bool ready();\nvoid go();\nvoid h() {\n  if (bool now = ready()) go();\n  if (ready()) go();\n}\n")
        name = self.check("bool now", "ready", "h call 1 of ready", hint="ready")
        self.assertEqual((name["before"], name["after"]), (True, False))
        name = self.check("  if (ready", "ready", "h call 2 of ready", hint="ready")
        self.assertEqual((name["before"], name["after"]), (True, True))
        self.assertEqual(name["statement"], [5, 3, 5, 20])
        self.assertEqual(name["behind"], [5, 7, 5, 13])


class Points(Case):
    def test_comment_in_function(self):
        self.sample()
        self.assertEqual(self.found(scope="List::add", number=1), ("data::List::add", "/* ravel: 1 */"))
        self.assertEqual(self.found(scope="List::add", number=2)[1],
                         "values_.push_back(value + 1);  // ravel: 2 both are in")
        self.assertEqual(self.found(scope="data::List::grow", number=6)[0], "data::List::grow")

    def test_comment_in_class(self):
        self.sample()
        self.assertEqual(self.found(scope="List", number=3)[0], "data::List::add")
        self.assertEqual(self.found(scope="List", number=6)[0], "data::List::grow")
        said = self.refused(scope="List", number=1)
        self.assertIn("occurs 2 times: list.cpp:19 (data::List::add(int)) and list.cpp:", said)

    def test_comment_in_file(self):
        self.sample()
        self.assertEqual(self.found(number=6)[0], "data::List::grow")
        self.assertIn("occurs", self.refused(number=1))

    def test_overload_by_parameters(self):
        self.sample()
        for text in ("List::add(const std::string&)", "add(const std::string &)", "List::add(const string&)"):
            self.assertIn("text.size()", self.found(scope=text, number=3)[1])
        self.assertEqual(self.found(scope="List::add(int)", call="push_back", nth=1)[1], "values_.push_back(value);")
        self.assertIn("more than one 1st call of push_back in List::add: list.cpp:20 (data::List::add(int)) and "
                      "list.cpp:25 (data::List::add(const std::string &))",
                      self.refused(scope="List::add", call="push_back", nth=1))
        self.assertIn("add(int)", self.refused(scope="List::add(double)", number=1))

    def test_overload_by_const(self):
        self.sample()
        self.assertEqual(self.found(scope="List::at(int) const", number=5)[1], "/* ravel: 5 */")
        self.assertEqual(self.found(scope="List::at(int)", access="values_", nth=1)[1][:12], "int at(int i")
        self.assertEqual(self.found(scope="List::at(int) const", access="values_", nth=1)[1][:14], "return values_")

    def test_classes_of_one_name(self):
        self.sample()
        self.assertEqual(self.found(scope="List::Node::link", number=1)[0], "data::List::Node::link")
        self.assertEqual(self.found(scope="other::Node::link", number=1)[0], "other::Node::link")
        self.assertIn("occurs 2 times", self.refused(scope="Node::link", number=1))

    def test_templates(self):
        self.sample()
        self.assertEqual(self.found(scope="Box::put", number=1)[0], "Box::put")
        self.assertEqual(self.found(scope="Box<T>::put", access="value_", nth=1)[1], "value_ = value;")
        self.assertEqual(self.found(scope="Box<T>::put", call="size", nth=1)[1], "value_.size();")
        self.assertEqual(self.found(scope="Box<std::vector<int>>::put", access="value_", nth=1)[1], "value_ = value;")
        self.assertIn("more than one", self.refused(scope="Box::put", access="value_", nth=1))

    def test_lambdas_belong_to_their_function(self):
        self.sample()
        self.assertEqual(self.found(scope="total", number=1), ("total", "/* ravel: 1 */"))
        self.assertEqual(self.found(scope="total", access="sum", nth=1)[1], "sum += more;")
        self.assertEqual(self.found(scope="total", call="add", nth=1)[1], "add(value);")

    def test_line(self):
        self.sample()
        line = self.file.read_text().split("\n").index("    values_.push_back(value);") + 1
        self.assertEqual(self.found(line=line), ("data::List::add", "values_.push_back(value);"))
        self.assertIn("list.cpp:3 is not in a function. Nearest: data::List::List (lines", self.refused(line=3))
        self.assertIn("has no line 4000", self.refused(line=4000))

    def lines(self, body, **point):
        """First and last line of what the point means; the body begins at line 3."""
        self.write("#include <vector>\nint f(int x, std::vector<int>& v) {\n" + body + "\n}\n")
        place = {"point": {"path": "list.cpp", **point}, "origin": "race.txt:1"}
        answer = self.ask(command="locate", places=[place])
        self.assertTrue(answer["ok"], answer)
        self.assertFalse(self.out.exists())
        (found,) = answer["places"]
        self.assertEqual((found["origin"], found["function"], found["function_line"]), ("race.txt:1", "f", 2))
        return found["first_line"], found["last_line"]

    def test_lines_of_the_statement(self):
        # The statement around a name, with all its lines; of a head only the part that it is in.
        self.assertEqual(self.lines("  x =\n      v[0] +\n      v[1];\n  return x;", scope="f", access="v", nth=1), (3, 5))
        self.assertEqual(self.lines("  int y =\n      v[0];\n  return y;", scope="f", access="v"), (3, 4))
        self.assertEqual(self.lines("  if (x > 1 &&\n      x < 3) {\n    v[0] = 1;\n  }\n  return x;", scope="f",
                                    access="x"), (3, 4))
        self.assertEqual(self.lines("  for (int i = 0;\n       i < x;\n       ++i) {\n    v[i] = 1;\n  }\n  return x;",
                                    scope="f", access="x"), (4, 4))
        self.assertEqual(self.lines("  auto g = [&] {\n    x = 1;\n    v[0] = 2;\n  };\n  g();\n  return x;", scope="f",
                                    access="v"), (5, 5))
        # From a comment to the end of the statement after it.
        self.assertEqual(self.lines("  v[0] = 1;\n  /* ravel: 1 */\n\n  x = v[0] +\n      1;\n  return x;", scope="f",
                                    number=1), (4, 7))
        self.assertEqual(self.lines("  if (x) {\n    v[0] = 1;\n    // ravel: 1\n  }\n  return x;", scope="f", number=1),
                         (5, 5))
        # From a line to the end of what begins on it, or continues there.
        self.assertEqual(self.lines("  x = v[0] +\n      v[1];\n  return x;", line=3), (3, 4))
        self.assertEqual(self.lines("  if (x)\n    v[0] =\n        2;\n  return x;", line=4), (4, 5))

    def test_places_that_are_missing_are_told(self):
        self.sample()
        answer = self.ask(command="locate", places=[{"point": {"path": "list.cpp", "scope": "List::nobody", "number": 1},
                                                     "origin": "race.txt:9"}])
        self.assertEqual([one["origin"] for one in answer["errors"]], ["race.txt:9"])
        self.assertFalse(self.ask(command="locate", places=[{"origin": "race.txt:9"}])["ok"])

    def test_calls_and_accesses(self):
        self.sample()
        self.assertEqual(self.found(scope="List::add(int)", call="push_back", nth=2)[1][:30], "values_.push_back(value + 1); ")
        self.assertEqual(self.found(scope="List::add(int)", call="lock_guard", nth=1)[1][:15], "std::lock_guard")
        self.assertEqual(self.found(scope="List::add(int)", access="size_", nth=1)[1], "++size_;")
        self.assertEqual(self.found(scope="is_empty", access="size_", nth=1)[1], "if (size_ == 0) return true;")

    def test_missing_points_name_the_nearest(self):
        self.sample()
        self.assertIn('List::grow in list.cpp has no point "ravel: 5". Its points: 6 at list.cpp:',
                      self.refused(scope="List::grow", number=5))
        self.assertIn("defines no function or class List::ad. Nearest: data::List::add,",
                      self.refused(scope="List::ad", number=1))
        self.assertIn("has no call of push_bck. Nearest: push_back",
                      self.refused(scope="List::add(int)", call="push_bck", nth=1))
        self.assertIn("calls push_back 2 times, not 3. Give a number from 1 to 2.",
                      self.refused(scope="List::add(int)", call="push_back", nth=3))
        self.assertIn("has no access to siz. Nearest: size_", self.refused(scope="is_empty", access="siz", nth=1))
        self.assertIn("the file is", self.refused(path="ist.cpp", number=6))

    def test_macros_are_refused(self):
        self.sample()
        said = self.refused(number=70)
        self.assertIn('at list.cpp:10 is inside the definition of the macro COUNTED', said)
        said = self.refused(scope="List::grow", call="push_back", nth=2)
        self.assertIn("comes from the macro PUSH at list.cpp:", said)

    def test_places_without_statements_are_refused(self):
        self.sample()
        self.assertIn("in code that #if excludes", self.refused(scope="total", number=9))
        self.assertIn("outside any function", self.refused(number=77))
        self.assertIn("constexpr function twice", self.refused(scope="twice", number=1))

    def test_another_prefix(self):
        self.write("int f(int x) {\n  // sync 3\n  return x;\n}\n")
        answer = self.ask(self.at(scope="f", number=3), command="locate", prefix="sync")
        self.assertEqual(answer["points"][0]["line"], 2)
        self.assertIn("The file has no points", self.refused(scope="f", number=3))

    def test_all_errors_are_told(self):
        self.sample()
        answer = self.ask(self.at(scope="nowhere", number=1), self.at(scope="List::grow", number=5, origin="race.txt:9"))
        self.assertEqual([e["origin"] for e in answer["errors"]], ["race.txt:4", "race.txt:9"])

    def test_bad_requests(self):
        self.sample()
        self.assertIn("exactly one of", self.refused(scope="f"))
        self.assertFalse(self.ask(self.at(number=6), command="knit")["ok"])
        self.assertIn("never touched", self.ask(self.at(number=6), out=str(self.file))["errors"][0]["message"])
        self.assertIn("There is no file", self.ask(self.at(number=6), file="/nowhere/list.cpp")["errors"][0]["message"])
        self.write('#include "missing.h"\nint f() { return /* ravel: 1 */ 1; }\n')
        self.assertIn("list.cpp:1: 'missing.h' file not found", self.ask(self.at(number=1))["errors"][0]["message"])

    def test_options_of_the_file_count(self):
        self.write("int f() {\n#if WIDE\n  return 1; /* ravel: 1 */\n#else\n  /* ravel: 1 */ return 2;\n#endif\n}\n")
        self.assertEqual(self.found(scope="f", number=1)[1], "/* ravel: 1 */ return 2;")
        answer = self.ask(self.at(scope="f", number=1), command="locate",
                          arguments=["g++", "-DWIDE=1", "-fno-gcse-sm-not-known", "-Werror", "-O2", "-o", "list.o", "-MD", "-c",
                                     "./list.cpp"])
        self.assertEqual(answer["points"][0]["line"], 3)

    def test_points_in_a_header(self):
        (self.dir / "list.h").write_text("#pragma once\ntemplate <typename T> void f(T x) {\n  /* ravel: 1 */ x += 1;\n}\n")
        self.write('#include "list.h"\nint main() { f(1); }\n')
        answer = self.ask(self.at(path="list.h", scope="f", number=1), file=str(self.dir / "list.h"),
                          main=str(self.file), out=str(self.dir / "out/list.h"))
        self.assertTrue(answer["ok"], answer)
        self.assertIn('#line 1 "%s"' % (self.dir / "list.h"), (self.dir / "out/list.h").read_text())


class Reformatted(Case):
    STYLES = ("LLVM", "Google", "Mozilla", "WebKit", "GNU", "Microsoft",
              "{BasedOnStyle: Google, ColumnLimit: 40, AllowShortFunctionsOnASingleLine: None}",
              "{BasedOnStyle: LLVM, BreakBeforeBraces: Allman, IndentWidth: 8, ColumnLimit: 60}")
    POINTS = (dict(scope="List::add", number=1), dict(scope="List::add", number=2), dict(scope="List::grow", number=6),
              dict(scope="Box::put", number=1), dict(scope="total", number=2), dict(scope="is_empty", access="size_", nth=1),
              dict(scope="List::add(int)", call="push_back", nth=2), dict(scope="total", access="sum", nth=2))

    def run_all(self):
        actions = [self.at(event="e%d" % i, **point) for i, point in enumerate(self.POINTS)]
        answer = self.ask(*actions)
        self.assertTrue(answer["ok"], answer)
        printed = self.run_woven(compiler="g++", options=["-O0"])
        # Lines move, everything else stays.
        return [p["function"] for p in answer["points"]], [" ".join(w.split(" ")[:2]) for w in printed.splitlines()]

    def test_every_style_finds_the_same_statements(self):
        self.sample()
        plain = self.run_all()
        self.assertGreater(len(plain[1]), 7)
        text = (HERE / "list.cpp").read_text()
        for style in self.STYLES:
            with self.subTest(style=style):
                self.write(subprocess.run(["clang-format", "--style=" + style], input=text, capture_output=True, text=True,
                                          check=True).stdout)
                self.assertEqual(self.run_all(), plain)

    def test_moved_functions_and_edits_elsewhere(self):
        self.sample()
        plain = self.run_all()
        text = self.file.read_text()
        grow = text[text.index("void List::grow()"):text.index("}  // namespace data")]
        moved = text.replace(grow, "").replace("int main()", "namespace data {\n" + grow + "}\n\nint unrelated(int x) {\n"
                                               "  return x; /* ravel: 6 */\n}\n\nint main()")
        moved = moved.replace("int value)", "int fresh)").replace("(value)", "(fresh)").replace("(value + 1)", "(fresh + 1)")
        moved = moved.replace("add(fresh);", "add(value);")
        self.write(moved)
        self.assertEqual(self.run_all(), plain)


class Weaving(Case):
    def woven_line(self, text, *actions):
        """Weaves a function `int f(int x)` whose one line is `text`; the woven line without what actions consist of."""
        more = "#include <vector>" if "std::vector" in text else ""
        self.write("#include <cstdio>\n" + more + "\nint g(int x) { std::printf(\"g %d\\n\", x); return x; }\n"
                   "int f(int x) {\n" + text + "\n}\nint main() { return f(2) > 1000; }\n")
        woven = self.weave(*actions)
        self.printed = self.run_woven(options=["-Wno-unused-parameter"]).splitlines()
        return woven

    def order(self, text, **point):
        self.woven_line(text, self.at(event="E", scope="f", **point))
        return [line.split(" list.cpp")[0] for line in self.printed]

    def test_the_statement(self):
        self.write("int f(int i) {\n  /* ravel: 1 */\n  return i;\n}\nint main() { return f(3) - 3; }\n")
        woven = self.weave(self.at(event="linking", kind="wait", scope="f", number=1, condition="i == 3", arrival=2, task=1))
        self.assertIn('if (::ravel_sync_is_running("t") && (i == 3)) { static struct ravel_sync_site ravel_site = '
                      '{"t", "linking", "list.cpp:2", 2, 1, 0}; ::ravel_sync_wait(&ravel_site); } /* ravel: 1 */', woven)
        self.assertEqual(self.run_woven(), "wait linking list.cpp:2 2 1\n")
        self.assertEqual(self.run_woven(test="another"), "")

    def test_before_and_after_a_call(self):
        self.assertEqual(self.order("  return g(1) + x;", call="g"), ["notify E", "g 1"])
        self.assertEqual(self.order("  return g(1) + x;", call="g", after=True), ["g 1", "notify E"])
        self.assertEqual(self.order("  int y = g(1);\n  return y + g(x);", call="g", after=True), ["g 1", "notify E", "g 2"])

    def test_bodies_without_braces(self):
        self.assertEqual(self.order("  if (x > 5) g(1); else g(2);\n  return g(3);", call="g", nth=1), ["g 2", "g 3"])
        self.assertEqual(self.order("  if (x > 5) g(1); else g(2);\n  return g(3);", call="g", nth=2),
                         ["notify E", "g 2", "g 3"])
        self.assertEqual(self.order("  for (int i = 0; i < x; ++i) g(i);\n  return 0;", call="g", after=True),
                         ["g 0", "notify E", "g 1", "notify E"])
        self.assertEqual(self.order("  do g(x); while (--x > 0);\n  return 0;", call="g"),
                         ["notify E", "g 2", "notify E", "g 1"])
        self.assertEqual(self.order("  while (x-- > 0) if (x == 1) g(x); else /* ravel: 1 */ g(7);\n  return 0;", number=1),
                         ["g 1", "notify E", "g 7"])

    def test_conditions(self):
        self.assertEqual(self.order("  if (g(1)) return g(2);\n  return 0;", call="g"), ["notify E", "g 1", "g 2"])
        self.assertEqual(self.order("  if (g(1)) return g(2);\n  return 0;", call="g", after=True),
                         ["g 1", "notify E", "g 2"])
        self.assertEqual(self.order("  while (g(x) > 1) --x;\n  return 0;", call="g"),
                         ["notify E", "g 2", "notify E", "g 1"])
        self.assertEqual(self.order("  while (g(x) > 1) --x;\n  return 0;", call="g", after=True),
                         ["g 2", "notify E", "g 1", "notify E"])
        self.assertEqual(self.order("  for (int i = 0; i < 2; i += g(1)) g(9);\n  return x;", call="g", nth=1, after=True),
                         ["g 9", "g 1", "notify E", "g 9", "g 1", "notify E"])
        self.assertEqual(self.order("  for (int i = 0; i < g(2); ++i) {}\n  return x;", call="g"),
                         ["notify E", "g 2", "notify E", "g 2", "notify E", "g 2"])
        self.assertEqual(self.order("  if (x > 5) return 1;\n  else if (g(4) > 5) return 2;\n  return 0;", call="g"),
                         ["notify E", "g 4"])
        self.assertEqual(self.order("  switch (g(1)) { case 1: return g(2); default: return 0; }", call="g", after=True),
                         ["g 1", "notify E", "g 2"])

    def test_head_of_a_range_for(self):
        text = "  std::vector<int> v = {1, 2};\n  for (int i : v) g(i);\n  return x;"
        self.assertEqual(self.order(text, access="v"), ["notify E", "g 1", "g 2"])
        self.write("int f() { int v[2] = {1, 2}; for (int i : v) if (i) return 1; return 0; }\n")
        self.assertIn("head of a for", self.refused(scope="f", access="v", after=True))

    def test_cases_and_labels(self):
        text = "  switch (x) {\n    case 1:\n    case 2:\n      /* ravel: 1 */\n      g(2);\n      break;\n    default: g(3);\n  }\n  return 0;"
        self.assertEqual(self.order(text, number=1), ["notify E", "g 2"])
        self.assertEqual(self.order(text.replace("x) {", "x + 5) {"), call="g", nth=2), ["notify E", "g 3"])
        self.assertEqual(self.order("  switch (x) case 2: g(2);\n  return 0;", call="g"), ["notify E", "g 2"])
        self.assertEqual(self.order("again: g(x);\n  if (--x > 0) goto again;\n  return 0;", call="g"),
                         ["notify E", "g 2", "notify E", "g 1"])
        self.write("int f(int x) { switch (x) { /* ravel: 1 */ case 1: return 1; } return 0; }\n")
        self.assertIn("before the first case", self.refused(scope="f", number=1))

    def test_lambdas_and_try(self):
        self.standard = "-std=c++20"  # [[likely]]
        self.assertEqual(self.order("  auto l = [&] { g(1); };\n  g(x);\n  l();\n  return 0;", call="g", nth=1),
                         ["g 2", "notify E", "g 1"])
        self.assertEqual(self.order("  try { g(1); throw 1; } catch (int) { /* ravel: 1 */ g(2); }\n  return x;", number=1),
                         ["g 1", "notify E", "g 2"])
        self.assertEqual(self.order("  [[maybe_unused]] int y = g(1);\n  if (x) [[likely]] g(2);\n  return 0;", call="g", nth=2),
                         ["g 1", "notify E", "g 2"])

    def test_comments_within_statements(self):
        self.assertEqual(self.order("  return g(/* ravel: 1 */ x);", number=1), ["notify E", "g 2"])
        self.assertEqual(self.order("  g(1); // ravel: 1\n  return g(x);", number=1), ["g 1", "notify E", "g 2"])
        self.assertEqual(self.order("  if (x) // ravel: 1\n    g(1);\n  return 0;", number=1), ["notify E", "g 1"])
        self.assertEqual(self.order("  if (x) { g(1); /* ravel: 1 */ }\n  return 0;", number=1), ["g 1", "notify E"])
        self.assertEqual(self.order("  while (x-- > /* ravel: 1 */ 0) g(x);\n  return 0;", number=1), ["notify E", "g 1", "g 0"])

    def test_lines(self):
        self.assertEqual(self.order("  g(1);\n  g(\n      2);\n  return x;", line=7), ["g 1", "notify E", "g 2"])
        self.assertEqual(self.order("  g(1);\n  /* long\n   comment */\n  g(2);\n  return x;", line=7),
                         ["g 1", "notify E", "g 2"])
        self.assertEqual(self.order("  if (x) {\n    g(1);\n  }\n  return x;", line=7), ["g 1", "notify E"])
        self.assertEqual(self.order("  g(1);\n  return g(2);", line=5, after=True), ["g 1", "notify E", "g 2"])

    def test_arguments_of_macros(self):
        text = "#define SUM(e) (g(5) + (e))\n  x += SUM(g(1));\n  return x;"
        self.assertEqual(self.order(text, call="g", nth=2), ["notify E", "g 5", "g 1"])

    def test_several_actions_at_one_place(self):
        self.woven_line("  if (x) g(1);\n  return 0;", self.at(event="A", scope="f", call="g"),
                        self.at(event="B", scope="f", call="g"), self.at(event="C", scope="f", call="g", after=True),
                        self.at(event="D", scope="f", access="x"))
        self.assertEqual([line.split(" ")[1] for line in self.printed], ["D", "A", "B", "1", "C"])

    def test_nothing_comes_after_what_leaves(self):
        self.write("struct S { int x; };\nS f(S s) { return S{s.x}; }\nvoid g(int x) { throw x; }\n")
        self.assertIn("nothing comes after it", self.refused(scope="f", access="x", after=True))
        self.assertIn("nothing comes after it", self.refused(scope="g", access="x", after=True))
        self.write("struct S { int x; S(int y) : x(y) {} };\n")
        self.assertIn("among member initialisers", self.refused(scope="S::S", access="y"))
        self.write("int g(); void f() { while (int x = g()) g(); }\n")
        self.assertIn("declares a variable", self.refused(scope="f", call="g", nth=1))

    def test_conditions_that_do_not_compile(self):
        self.sample()
        self.assertIn("The condition \"i == 3\" does not compile at list.cpp:19: use of undeclared identifier 'i'.",
                      self.refused(scope="List::add", number=1, condition="i == 3"))
        self.assertIn("closes a bracket that was not opened", self.refused(scope="List::add", number=1, condition="1) || (1"))
        self.assertIn("has a comment", self.refused(scope="List::add", number=1, condition="true // so"))
        self.assertIn("has a semicolon", self.refused(scope="List::add", number=1, condition="true; false"))
        self.weave(self.at(scope="List::add", number=1, condition="value == 3 && this->size_ > 0"))
        answer = self.ask(self.at(scope="List::add", number=1), self.at(scope="List::add", number=2, condition="valu > 1",
                                                                        origin="race.txt:7"))
        self.assertEqual([e["origin"] for e in answer["errors"]], ["race.txt:7"])

    def test_conditions_in_templates(self):
        text = "template <typename T> void f(T x) {\n  /* ravel: 1 */ (void)x;\n}\nint main() { f(1); }\n"
        self.write(text)
        self.weave(self.at(scope="f", number=1, condition="x > 0"))
        self.assertEqual(self.run_woven(), "notify e list.cpp:2 0 0\n")
        self.assertIn("member reference base type 'int' is not a structure",
                      self.refused(scope="f", number=1, condition="x.empty()"))

    def test_a_byte_order_mark(self):
        self.file.write_bytes(b"\xef\xbb\xbfint main() { /* ravel: 1 */ return 0; }\n")
        self.assertTrue(self.ask(self.at(scope="main", number=1))["ok"])
        self.assertEqual(self.run_woven(), "notify e list.cpp:1 0 0\n")

    def test_the_sample_with_everything(self):
        self.standard = "-std=c++20"
        self.sample()
        self.weave(self.at(event="a", scope="List::add", number=1), self.at(event="b", scope="List::grow", number=6),
                   self.at(event="c", scope="Box<T>::put", number=1), self.at(event="d", scope="total", number=1),
                   self.at(event="e", scope="total", number=2), self.at(event="f", scope="List::grow", access="size_", nth=2),
                   self.at(event="g", scope="List::grow", call="clear"))
        said = [line.split(" ")[1] for line in self.run_woven().splitlines()]
        self.assertEqual("".join(said), "abbffgced")

    def test_diagnostics_show_the_users_lines(self):
        self.sample()
        text = self.file.read_text()
        self.write(text.replace("  return sum;", "  return sum;\n  int unused_here = 0;"))
        line = self.file.read_text().split("\n").index("  int unused_here = 0;") + 1
        self.weave(self.at(scope="List::add", number=1), self.at(scope="total", number=2))
        for compiler in compilers():
            done = subprocess.run([compiler, self.standard, "-Wall", "-fsyntax-only", "-I", INCLUDE, str(self.out)],
                                  capture_output=True, text=True)
            self.assertIn("%s:%d:" % (self.file, line), done.stderr)

    def test_quoted_includes(self):
        (self.dir / "own.h").write_text("inline int own() { return 0; }\n")
        self.write('#include "own.h"\nint main() { /* ravel: 1 */ return own(); }\n')
        answer = self.ask(self.at(scope="main", number=1))
        self.assertEqual(answer["include_directory"], str(self.dir))
        self.assertEqual(self.run_woven().split(" ")[0], "notify")

    def test_locate_writes_nothing(self):
        self.sample()
        self.assertTrue(self.ask(self.at(number=6), command="locate")["ok"])
        self.assertFalse(self.out.exists())


if __name__ == "__main__":
    unittest.main()
