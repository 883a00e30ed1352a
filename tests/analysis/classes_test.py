#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What ravel-analyzer lists of a class, or of the functions over a handle. ANALYZER names the program."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ANALYZER = str(pathlib.Path(os.environ.get("ANALYZER", "build/bin/ravel-analyzer")).resolve())


class Case(unittest.TestCase):
    def ask(self, header, name, **more):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "box.h")
            path.write_text(header)
            request = {"command": "class", "headers": [str(path)], "class": name, "directory": directory,
                       "arguments": ["c++", "-std=c++20"], **more}
            done = subprocess.run([ANALYZER], input=json.dumps(request), capture_output=True, text=True, timeout=120)
        return json.loads(done.stdout)

    def listed(self, header, name, **more):
        answer = self.ask(header, name, **more)
        self.assertTrue(answer["ok"], answer)
        return answer

    def calls(self, answer):
        """The operations by what a test would write."""
        return {one["call"]: one for one in answer["operations"]}

    def values(self, answer, call):
        return [answer["pools"][pool]["values"] for pool in self.calls(answer)[call]["pools"]]


class Classes(Case):
    def test_method_templates_get_types_that_fit(self):
        answer = self.listed("""
            #include <string>
            #include <type_traits>
            template <typename K> struct Box {
              template <typename T> void put(const T& value);
              template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0> void count(T by);
              template <int N> int nth();
              template <template <typename> class C> void odd();
            };""", "Box<double>")
        calls = self.calls(answer)
        self.assertEqual({"put<double>", "put<int>", "put<std::string>"}, {c for c in calls if c.startswith("put")})
        # What the declaration itself rules out is not tried.
        self.assertEqual(["count<int>"], [c for c in calls if c.startswith("count")])
        self.assertIn("nth<1>", calls)
        self.assertTrue(calls["put<int>"]["instance"])
        self.assertEqual(["odd"], [one["signature"] for one in answer["left_out"]])

    def test_parameter_that_is_called_gets_a_lambda(self):
        answer = self.listed("""
            #include <utility>
            struct Box {
              template <typename X> void each(X x) { x(1); }
              template <typename X> void later(X&& x) { std::forward<X>(x)(1, 2); }
              template <typename Predicate> bool any(Predicate p);
              void visit(auto v) { v(); }
            };""", "Box")
        for call in ("each", "later", "any", "visit"):
            self.assertEqual(self.values(answer, call), [["[](auto&&...) { return true; }"]], call)

    def test_operators(self):
        answer = self.listed("""
            #include <string>
            struct Box {
              explicit operator bool() const;
              operator std::string() const;
              Box& operator=(const Box&);
              Box& operator=(int);
              int operator[](int) const;
            };""", "Box")
        self.assertLessEqual({"operator bool", "operator std::string", "operator=", "operator[]"},
                             set(self.calls(answer)))
        names = {one["name"] for one in answer["operations"]}
        self.assertIn("Box::operator bool", names)
        self.assertEqual(sum(one["call"] == "operator=" for one in answer["operations"]), 2)

    def test_what_a_call_returns_can_be_passed_on(self):
        answer = self.listed("""
            #include <memory>
            struct Connection {};
            struct Pool {
              using Id = unsigned long;
              Connection* grab();
              void release(const Connection* c);
              std::shared_ptr<Connection> share();
              void unshare(std::shared_ptr<Connection> c);
              Id subscribe();
              void unsubscribe(Id id);
              int size() const;
              void reserve(int n);
            };""", "Pool")
        calls = self.calls(answer)
        for make, take in (("grab", "release"), ("share", "unshare"), ("subscribe", "unsubscribe")):
            slot = calls[make]["result"]
            self.assertTrue(slot, make)
            self.assertEqual(self.values(answer, take)[0][0], "$" + slot)
        self.assertEqual(calls["size"]["result"], "")  # a number is not a name of anything


class Handles(Case):
    HEADER = """
        #include <stddef.h>
        typedef struct db db;
        typedef struct cursor cursor;
        db *db_open(const char *path);
        int db_open_at(int where, db **out);
        void db_close(db *d);
        void db_free(db **d);
        int db_put(db *d, const char *key);
        size_t db_count(const db *d);
        cursor *db_first(db *d);
        int db_next(db *d, cursor *c);
        int unrelated(int x);
    """

    def test_functions_over_an_opaque_pointer(self):
        answer = self.listed(self.HEADER, "struct db", handle=True, c_headers=True)
        self.assertEqual(answer["handle"], "db *")
        kinds = {one["call"]: one["kind"] for one in answer["operations"]}
        self.assertEqual(kinds, {"db_open": "pointer-factory", "db_open_at": "handle-maker", "db_close": "function",
                                 "db_free": "function", "db_put": "function", "db_count": "function",
                                 "db_first": "function", "db_next": "function"})
        self.assertEqual(self.values(answer, "db_put")[0], ["$object"])
        self.assertEqual(self.values(answer, "db_open_at")[1], ["&$object"])
        self.assertEqual(self.calls(answer)["db_open_at"]["before"], "nullptr")
        # A cursor that db_first returned goes into db_next.
        self.assertEqual(self.values(answer, "db_next")[1][0], "$" + self.calls(answer)["db_first"]["result"])

    def test_struct_of_the_caller(self):
        answer = self.listed("struct ring { int size; };\nvoid ring_init(ring *r, int size);\nint ring_pop(ring &r);",
                             "ring", handle=True)
        self.assertEqual(self.calls(answer)["ring_init"]["before"], "new ring()")
        self.assertEqual(self.values(answer, "ring_pop"), [["*$object"]])

    def test_pointer_with_a_name(self):
        answer = self.listed("typedef void *HANDLE; typedef void *OTHER;\nHANDLE make(void); int use(HANDLE h);\n"
                             "int other(OTHER o);", "HANDLE", handle=True)
        self.assertEqual({"make", "use"}, set(self.calls(answer)))

    def test_refusals(self):
        for header, name, said in (("struct db;", "dc", "there is no type dc"),
                                   ("typedef int fd;", "fd", "neither a struct nor a pointer"),
                                   ("struct db; int use(db *);", "db", "no function makes a db *")):
            answer = self.ask(header, name, handle=True)
            self.assertFalse(answer["ok"])
            self.assertIn(said, answer["errors"][0]["message"])


if __name__ == "__main__":
    unittest.main()
