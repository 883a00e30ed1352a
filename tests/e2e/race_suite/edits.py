# SPDX-License-Identifier: Apache-2.0
"""Changes a C++ source as people do who work on something else in the file: functions come, go and move, locals get
other names, comments, lines and includes are added, the whole is formatted in another style. The same seed makes the
same change. What it means to the tested functions stays as it is, and it still compiles.

Used by robustness_test.py. Knows as much C++ as the sources of this folder need."""

import dataclasses
import random
import re
import subprocess

STYLES = ["Google", "LLVM", "GNU", "WebKit", "Mozilla", "Chromium", "Microsoft",
          "{BasedOnStyle: LLVM, ColumnLimit: 50, AllowShortFunctionsOnASingleLine: None}",
          "{BasedOnStyle: Google, ColumnLimit: 200, IndentWidth: 8, BreakBeforeBraces: Whitesmiths}"]
INCLUDES = ["<numeric>", "<set>", "<cmath>", "<deque>", "<iterator>", "<tuple>", "<type_traits>"]


@dataclasses.dataclass
class Function:
    """A definition: text[begin:end]."""
    name: str
    begin: int
    end: int
    depth: int


class Source:
    """A source and what must be left alone in it: names that its race test uses."""

    def __init__(self, name, text, tested, used):
        self.name = name
        self.text = text
        self.tested = tested  # functions of the race test, as (class, function)
        self.used = used      # all words of the race test
        self.others = ""      # the text of all other files

    def code(self):
        """The text with blanks for comments, literals and preprocessor lines."""
        pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|^[ \t]*#[^\n]*'
        return re.sub(pattern, lambda found: re.sub(r"[^\n]", " ", found.group()), self.text,
                      flags=re.DOTALL | re.MULTILINE)

    def functions(self):
        """Definitions in the namespace or in a class."""
        code = self.code()
        found = []
        depth = 0
        begins = [0]  # of what is being read, for every depth
        inside = False
        for at, letter in enumerate(code):
            if letter == "{":
                head = code[begins[depth]:at]
                if not inside and re.search(r"\w\s*\(", head) and not re.search(r"=\s*$|\b(namespace|class|struct)\b", head):
                    name = re.search(r"([\w:~]+)\s*\(", head).group(1)
                    found.append(Function(name, begins[depth], at, depth))
                    inside = True
                depth += 1
                begins = begins[:depth] + [at + 1]
            elif letter == "}":
                depth -= 1
                if inside and found[-1].depth == depth:
                    found[-1].end = at + 1
                    inside = False
                begins[depth] = at + 1
            elif letter == ";" or (letter == ":" and code[at - 6:at] == "public"):
                begins[depth] = at + 1
        for one in found:
            one.begin = self.head_of(one)
        return found

    def head_of(self, function):
        """Where a definition begins with its comments: after blank lines and preprocessor lines."""
        head = self.text[function.begin:function.end]
        cut = 0
        for found in re.finditer(r"^[ \t]*(#[^\n]*)?\n", head, flags=re.MULTILINE):
            if not self.code()[function.begin:function.begin + found.start()].strip():
                cut = found.end()
        return function.begin + cut

    def is_tested(self, function):
        return function.name.split("::")[-1] in {name for _, name in self.tested}


# -- changes: each takes a source and a generator of random numbers


def new_function(random_, number):
    return random_.choice([
        f"""inline int counted_{number}(int value) {{
  int result = value;
  for (int i = 0; i < {number}; ++i) result += i * value;
  return result;
}}
""", f"""// Two of one name.
inline int mixed_{number}(int first) {{ return first + {number}; }}
inline double mixed_{number}(double first, int second) {{ return first * second; }}
""", f"""template <typename T>
T larger_{number}(const T& first, const T& second) {{
  const auto is_less = [](const T& a, const T& b) {{ return a < b; }};
  return is_less(first, second) ? second : first;
}}
"""])


def in_namespace(source):
    """Places where a definition may go."""
    places = [source.text.index("namespace shop {") + len("namespace shop {\n")]
    return places + [function.end for function in source.functions() if function.depth == 1]


def add_function(source, random_):
    at = random_.choice(in_namespace(source))
    source.text = source.text[:at] + "\n" + new_function(random_, random_.randrange(2, 99)) + "\n" + source.text[at:]


# The names that the race test uses, in another class of the namespace and in another namespace.
def add_namesakes(source, random_):
    number = random_.randrange(2, 99)
    owner, name = random_.choice(source.tested)
    text = f"""
namespace other_{number} {{
struct {owner} {{
  void {name}(int value) {{ sum += value; /* ravel: 1 */ }}
  bool {name}() const {{ return sum == 0; }}
  int sum = 0;
}};
inline int {name}(int value) {{ return value; }}
}}  // namespace other_{number}
"""
    at = random_.choice([source.text.index("namespace shop {"), *in_namespace(source)])
    source.text = source.text[:at] + text + "\n" + source.text[at:]


# A function of the class that is never called.
def remove_function(source, random_):
    everything = source.text + source.others
    unused = []
    for function in source.functions():
        name = function.name.split("::")[-1]
        calls = len(re.findall(rf"\b{name}\(", everything))
        declared = len(re.findall(rf"^ +(?!return\b)\w[\w:&*<> ]* {name}\([^;{{]*;", everything, flags=re.MULTILINE))
        if not source.is_tested(function) and calls - declared == 1:
            unused.append(function)
    if not unused:
        return add_comments(source, random_)
    function = random_.choice(unused)
    source.text = source.text[:function.begin] + source.text[function.end:]
    return None


# Swaps two that follow each other.
def move_function(source, random_):
    functions = source.functions()
    pairs = []
    for first, second in zip(functions, functions[1:]):
        between = source.text[first.end:second.begin]
        members = first.depth == 2 or ("::" in first.name and "::" in second.name)
        if first.depth == second.depth and members and not between.strip():
            pairs.append((first, second))
    if not pairs:
        return add_function(source, random_)
    first, second = random_.choice(pairs)
    text = source.text
    source.text = (text[:first.begin] + text[second.begin:second.end] + text[first.end:second.begin] +
                   text[first.begin:first.end] + text[second.end:])
    return None


# Every local variable and parameter that the race test does not name, and that nothing else in the file is called.
def rename_locals(source, random_):
    code = source.code()
    declared = re.findall(r"[\w>][&*]* ([a-z]\w*)(?= =|\(\w+_\)|,| :|\))", code)
    functions = {function.name.split("::")[-1] for function in source.functions()}
    for name in sorted(set(declared) - {"const", "override", "noexcept", "nullptr"} - functions - source.used):
        other_uses = re.search(rf"(\.|->|::){name}\b|\b{name}(::|[&*]* [a-z]\w* *[=;(])", code)
        if not other_uses and not name.endswith("_"):
            source.text = re.sub(rf"\b{name}\b", f"{name}_{random_.randrange(2, 99)}", source.text)


def add_comments(source, random_):
    lines = source.text.split("\n")
    for _ in range(8):
        at = random_.randrange(1, len(lines))
        lines.insert(at, random_.choice(["", "", "// Somebody had something to say here.", "/* unravel: 1 */",
                                         "/* two lines about\n   nothing */", "// ravel nothing: 1"]))
    source.text = "\n".join(lines)


def add_includes(source, random_):
    at = source.text.index("#include")
    for name in random_.sample(INCLUDES, 3):
        source.text = source.text[:at] + f"#include {name}\n" + source.text[at:]
    source.text = source.text[:at] + f"#define UNRELATED_{random_.randrange(99)}(x) ((x) + 1)\n" + source.text[at:]


def reformat(source, random_):
    style = random_.choice(STYLES)
    source.text = subprocess.run(["clang-format", f"--style={style}", f"--assume-filename={source.name}"],
                                 input=source.text, capture_output=True, text=True, check=True).stdout


CHANGES = [add_function, add_namesakes, remove_function, move_function, rename_locals, add_comments, add_includes, reformat]


def change(source, seed):
    """Changes the source; which changes were made. Formatting comes last: it destroys the layout that others need."""
    random_ = random.Random(f"{seed} {source.name}")
    chosen = [CHANGES[seed % len(CHANGES)], *random_.sample(CHANGES, seed % 4)]
    made = sorted(set(chosen), key=CHANGES.index)
    for one in made:
        one(source, random_)
    return [one.__name__ for one in made]
