# SPDX-License-Identifier: Apache-2.0
"""Writes a source tree of ten thousand lines, as a program of that size has it, with race tests over some of its files:
what `weave_over_parse` of run.py weaves.

Modules have a header (a class with inline functions, a class template) and two sources with the rest; each uses the
standard library and the modules before it."""

import json

MODULES = 12
LINES = 10_000

HEADER = """// Module {name}: keeps its entries by number and tells what became of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>
{includes}
namespace {name} {{

struct Entry {{
  int number = 0;
  std::string label;
  std::vector<double> samples;
  bool valid() const {{ return number >= 0 && !label.empty(); }}
}};

template <typename Key, typename Value>
class Table {{
 public:
  Value& at(const Key& key) {{
    const std::lock_guard<std::mutex> guard(mutex_);
    ++lookups_;
    return values_[key];
  }}
  template <typename Function>
  void each(Function function) {{
    const std::lock_guard<std::mutex> guard(mutex_);
    for (auto& [key, value] : values_) function(key, value);
  }}
  std::size_t size() const {{
    return values_.size();
  }}

 private:
  std::map<Key, Value> values_;
  std::size_t lookups_ = 0;
  mutable std::mutex mutex_;
}};

class Keeper {{
 public:
  explicit Keeper(std::string title) : title_(std::move(title)) {{}}
  void put(Entry entry);
  void put(int number, const std::string& label);
  const Entry* find(int number) const;
  double total() const;
  std::size_t drop_if(const std::function<bool(const Entry&)>& unwanted);
  bool closed() const {{ return closed_; }}
  void close();
{declarations}
 private:
  std::string title_;
  std::vector<std::unique_ptr<Entry>> entries_;
  Table<int, std::string> labels_;
  std::uint64_t changes_ = 0;
  bool closed_ = false;
  mutable std::mutex mutex_;
}};
{inline}
}}  // namespace {name}
"""

FIRST_SOURCE = """// Module {name}: entries come and go.
#include "{name}.h"

#include <numeric>
#include <sstream>
#include <stdexcept>

namespace {name} {{

namespace {{

std::string described(const Entry& entry) {{
  std::ostringstream text;
  text << entry.number << ' ' << entry.label << " (" << entry.samples.size() << ')';
  return text.str();
}}

}}  // namespace

void Keeper::put(Entry entry) {{
  if (!entry.valid()) throw std::invalid_argument(described(entry));
  const std::lock_guard<std::mutex> guard(mutex_);
  labels_.at(entry.number) = entry.label;
  /* ravel: 1 */
  entries_.push_back(std::make_unique<Entry>(std::move(entry)));
  ++changes_;
}}

void Keeper::put(int number, const std::string& label) {{ put(Entry{{number, label, {{}}}}); }}

const Entry* Keeper::find(int number) const {{
  const auto is_meant = [number](const std::unique_ptr<Entry>& entry) {{ return entry->number == number; }};
  const auto found = std::find_if(entries_.begin(), entries_.end(), is_meant);
  return found == entries_.end() ? nullptr : found->get();
}}

double Keeper::total() const {{
  double sum = 0;
  for (const auto& entry : entries_) sum += std::accumulate(entry->samples.begin(), entry->samples.end(), 0.0);
  return sum;
}}

std::size_t Keeper::drop_if(const std::function<bool(const Entry&)>& unwanted) {{
  const std::lock_guard<std::mutex> guard(mutex_);
  const std::size_t before = entries_.size();
  std::erase_if(entries_, [&](const std::unique_ptr<Entry>& entry) {{ return unwanted(*entry); }});
  changes_ += before - entries_.size();
  return before - entries_.size();
}}

void Keeper::close() {{
  const bool was_open = !closed_;
  if (was_open) closed_ = true;
}}
{bodies}
}}  // namespace {name}
"""

SECOND_SOURCE = """// Module {name}: what can be asked about the entries.
#include "{name}.h"

#include <cmath>
#include <optional>
#include <set>

namespace {name} {{
{bodies}
}}  // namespace {name}
"""

# One member function; {kind} gives them different bodies.
BODIES = ["""
std::vector<std::string> Keeper::report_{i}(int least) const {{
  std::vector<std::string> lines;
  for (const auto& entry : entries_) {{
    if (entry->number < least || entry->samples.size() < {i}) continue;
    std::string line = title_ + ": " + entry->label;
    for (const double sample : entry->samples) {{
      if (sample > {i}.5) line += " " + std::to_string(sample);
    }}
    lines.push_back(line);
  }}
  std::sort(lines.begin(), lines.end(), [](const std::string& a, const std::string& b) {{
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }});
  return lines;
}}
""", """
std::map<std::string, double> Keeper::means_{i}(int step) const {{
  std::map<std::string, double> means;
  std::map<std::string, int> counts;
  for (std::size_t at = {i}; at < entries_.size(); at += static_cast<std::size_t>(step)) {{
    const Entry& entry = *entries_[at];
    for (const double sample : entry.samples) {{
      means[entry.label] += sample;
      ++counts[entry.label];
    }}
  }}
  for (auto& [label, mean] : means) {{
    if (counts[label] > {i}) mean /= counts[label];
  }}
  return means;
}}
""", """
bool Keeper::check_{i}(const std::string& prefix) {{
  const std::lock_guard<std::mutex> guard(mutex_);
  bool complete = true;
  labels_.each([&](int number, std::string& label) {{
    if (label.rfind(prefix, 0) != 0) return;
    const Entry* entry = find(number);
    if (entry == nullptr || entry->samples.size() <= {i}) {{
      complete = false;
    }} else if (entry->samples[{i}] < 0) {{
      label += "!";
    }}
  }});
  if (!complete) ++changes_;
  return complete;
}}
"""]
DECLARATIONS = ["  std::vector<std::string> report_{i}(int least) const;\n",
                "  std::map<std::string, double> means_{i}(int step) const;\n",
                "  bool check_{i}(const std::string& prefix);\n"]

TESTS = {
    "comments": """at module_1.cpp module_1::Keeper::put(Entry) 1   wait("dropped") if entry.number == 3
at module_1.cpp module_1::Keeper::drop_if access 3 of entries_   after notify("dropped")
expect race at module_1.cpp module_1::Keeper::put(Entry) call 1 of push_back and module_1.cpp module_1::Keeper::find access 1 of entries_
""",
    "calls": """at module_4.cpp module_4::Keeper::total call 1 of accumulate   wait("found") on arrival 2
at module_4.cpp module_4::Keeper::find call 1 of find_if   after notify("found") if number > 0 for T2
""",
    "accesses": """at module_7.cpp module_7::Keeper::close access 2 of closed_   wait("asked") if was_open
at module_7.cpp module_7::Keeper::total access 1 of entries_   notify("asked")
at module_8_more.cpp module_8::Keeper::check_{last} access 1 of changes_   notify("checked")
""",
    "header": """at module_{modules}.h module_{modules}::Table::at access 1 of lookups_   wait("sized") for T1
at module_{modules}.h module_{modules}::Table::size access 1 of values_   notify("sized")
""",
    "lines": """at module_10.cpp:{line}   notify("put")
""",
}


def write_tree(directory, include):
    """The tree under `directory`. Returns how many lines its sources have, and the files that the tests touch."""
    directory.mkdir(parents=True, exist_ok=True)
    sources = {}
    # Functions for each module until the tree is long enough.
    functions = 0
    while sum(text.count("\n") for text in sources.values()) < LINES:
        functions += 1
        sources = modules(functions)
    for name, text in sources.items():
        (directory / name).write_text(text)
    commands = [{"directory": str(directory), "file": str(directory / name),
                 "arguments": ["c++", "-std=c++20", "-O1", "-pthread", f"-I{include}", "-c", name, "-o", f"{name}.o"]}
                for name in sources if name.endswith(".cpp")]
    (directory / "compile_commands.json").write_text(json.dumps(commands, indent=1))
    put = sources["module_10.cpp"].split("\n").index("  ++changes_;") + 1
    last = next(i for i in range(functions - 1, -1, -1) if i % 3 == 2)
    for name, text in TESTS.items():
        (directory / "races" / name).mkdir(parents=True, exist_ok=True)
        (directory / "races" / name / "race.txt").write_text(text.format(line=put, modules=MODULES, last=last)
                                                             if "{" in text else text)
    # A header is looked at as a part of the first source that includes it.
    touched = ["module_1.cpp", "module_4.cpp", "module_7.cpp", "module_8_more.cpp", "module_10.cpp",
               f"module_{MODULES}.cpp"]
    return sum(text.count("\n") for text in sources.values()), [directory / name for name in touched]


def modules(functions):
    sources = {}
    for module in range(1, MODULES + 1):
        name = f"module_{module}"
        used = [f"module_{one}" for one in (module - 1, module - 3) if one > 0]
        bodies = [BODIES[i % 3].format(i=i) for i in range(functions)]
        sources[f"{name}.h"] = HEADER.format(
            name=name, includes="".join(f'#include "{one}.h"\n' for one in used),
            declarations="".join(DECLARATIONS[i % 3].format(i=i) for i in range(functions)),
            inline="".join(f"\ninline double weight(const {one}::Entry& entry) {{ return entry.number * {module}.0; }}\n"
                           for one in used))
        sources[f"{name}.cpp"] = FIRST_SOURCE.format(name=name, bodies="".join(bodies[::2]))
        sources[f"{name}_more.cpp"] = SECOND_SOURCE.format(name=name, bodies="".join(bodies[1::2]))
    return sources
