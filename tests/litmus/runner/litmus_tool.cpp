// SPDX-License-Identifier: Apache-2.0
// What the build and litmus_test.py ask about the table of shapes:
//   litmus_tool program   the real C++ program, all shapes in one: litmus_program SHAPE FILE
//   litmus_tool verdicts  what the oracle says of each shape, as JSON
//   litmus_tool names     the names of the shapes, one per line
//   litmus_tool table     for people: how many outcomes each model allows each shape
#include <cstdio>
#include <string>
#include <string_view>

#include "tests/litmus/model.h"
#include "tests/litmus/shapes.h"

namespace ravel::litmus {
namespace {

std::string_view order_name(Order order) {
  switch (order) {
    case Order::relaxed:
      return "std::memory_order_relaxed";
    case Order::acquire:
      return "std::memory_order_acquire";
    case Order::release:
      return "std::memory_order_release";
    case Order::acq_rel:
      return "std::memory_order_acq_rel";
    case Order::seq_cst:
      return "std::memory_order_seq_cst";
  }
  return "";
}

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

std::string register_name(int index) { return "r" + std::to_string(index); }

// One operation as one statement on one line, so that a trace of the program reads like the shape.
std::string statement(const Operation& operation) {
  const std::string order(order_name(operation.order));
  const std::string value = std::to_string(operation.value);
  std::string call;
  if (operation.location >= 0) call = std::string(location_names[operation.location]) + ".";
  switch (operation.kind) {
    case Kind::load:
      call += "load(" + order + ")";
      break;
    case Kind::store:
      call += "store(" + value + ", " + order + ")";
      break;
    case Kind::fetch_add:
      call += "fetch_add(" + value + ", " + order + ")";
      break;
    case Kind::exchange:
      call += "exchange(" + value + ", " + order + ")";
      break;
    case Kind::compare_exchange:
      // The register takes the value read, which C++ hands back through `expected`.
      call = "{ int found = " + std::to_string(operation.expected) + "; " + call + "compare_exchange_strong(found, " +
             value + ", " + order + ", " + std::string(order_name(operation.failure)) + "); " +
             (operation.result >= 0 ? register_name(operation.result) + " = found; " : "") + "}";
      break;
    case Kind::fence:
      call = "std::atomic_thread_fence(" + order + ")";
      break;
  }
  std::string text;
  if (operation.only) {
    text = "if (" + register_name(operation.only->index) + " == " + std::to_string(operation.only->value) + ") ";
  }
  if (operation.kind == Kind::compare_exchange) return text + call;
  if (operation.result >= 0) text += register_name(operation.result) + " = ";
  return text + call + ";";
}

// Registers live on the task's stack and are handed over at its end, so that they are no shared memory before that.
void print_task(const Task& task, const std::string& name) {
  print("void " + name + "() {\n");
  for (const Operation& operation : task) {
    if (operation.result >= 0) print("  int " + register_name(operation.result) + " = -1;\n");
  }
  for (const Operation& operation : task) print("  " + statement(operation) + "\n");
  for (const Operation& operation : task) {
    if (operation.result < 0) continue;
    print("  result[" + std::to_string(operation.result) + "] = " + register_name(operation.result) + ";\n");
  }
  print("}\n");
}

void print_shape(const Shape& shape, const std::string& name) {
  const Names names = names_in(shape.program);
  print("\n// " + shape.name + "\nnamespace " + name + " {\n");
  for (std::size_t task = 0; task < shape.program.size(); ++task) {
    print_task(shape.program[task], "task" + std::to_string(task));
  }
  print("void run(char* line, std::size_t size) {\n");
  for (std::size_t task = 0; task < shape.program.size(); ++task) {
    print("  std::thread t" + std::to_string(task) + "(task" + std::to_string(task) + ");\n");
  }
  for (std::size_t task = 0; task < shape.program.size(); ++task) print("  t" + std::to_string(task) + ".join();\n");
  std::string format;
  std::string arguments;
  for (int index : names.registers) {
    format += register_name(index) + "=%d ";
    arguments += ", result[" + std::to_string(index) + "]";
  }
  for (int index : names.locations) {
    format += std::string(location_names[index]) + "=%d ";
    arguments += ", " + std::string(location_names[index]) + ".load(std::memory_order_relaxed)";
  }
  if (!format.empty()) format.back() = '\n';
  for (std::size_t at; (at = format.find('\n')) != std::string::npos;) format.replace(at, 1, "\\n");
  print("  std::snprintf(line, size, \"" + format + "\"" + arguments + ");\n}\n}\n");
}

void print_program() {
  print(R"(// Made by litmus_tool from tests/litmus/shapes.cpp: every litmus shape as a real program.
//   litmus_program SHAPE FILE   performs the shape once and appends its outcome to FILE as one line
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>

namespace {

std::atomic<int> x{0}, y{0}, z{0}, w{0};
int result[8];
)");
  std::string table;
  int number = 0;
  for (const Shape& shape : shapes()) {
    const std::string name = "shape" + std::to_string(number++);
    print_shape(shape, name);
    table += "    {\"" + shape.name + "\", " + name + "::run},\n";
  }
  print("\nstruct Row {\n  const char* name;\n  void (*run)(char*, std::size_t);\n};\n");
  print("const Row rows[] = {\n" + table + "};\n");
  print(R"(
}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::memset(result, -1, sizeof result);
  for (const Row& row : rows) {
    if (std::strcmp(row.name, argv[1]) != 0) continue;
    char line[256];
    row.run(line, sizeof line);
    // Executions end with the process that makes them, each with a line of its own: nothing may wait in a buffer.
    const int file = open(argv[2], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    const auto length = static_cast<ssize_t>(std::strlen(line));
    if (file < 0 || write(file, line, length) != length) return 3;
    return close(file) == 0 ? 0 : 3;
  }
  return 2;
}
)");
}

std::string as_json(const Names& names, const Outcomes& outcomes) {
  std::string text;
  for (const Outcome& outcome : outcomes) text += (text.empty() ? "\"" : ", \"") + to_text(names, outcome) + "\"";
  return "[" + text + "]";
}

void print_verdicts() {
  std::string text;
  for (const Shape& shape : shapes()) {
    const Verdict verdict = judge(shape.program);
    const Names names = names_in(shape.program);
    text += text.empty() ? "" : ",\n";
    text += "\"" + shape.name + "\": {\"allowed\": " + as_json(names, verdict.allowed) +
            ",\n  \"engine\": " + as_json(names, verdict.engine) +
            ",\n  \"interleavings\": " + as_json(names, verdict.interleavings) + "}";
  }
  print("{" + text + "}\n");
}

void print_table() {
  print("allowed  shown  interleavings  shape\n");
  for (const Shape& shape : shapes()) {
    const Verdict verdict = judge(shape.program);
    std::printf("%7zu  %5zu  %13zu  %s%s\n", verdict.allowed.size(), verdict.engine.size(),
                verdict.interleavings.size(), shape.name.c_str(),
                verdict.allowed == verdict.engine ? "" : "  (exception)");
  }
}

}  // namespace
}  // namespace ravel::litmus

int main(int argc, char** argv) {
  using namespace ravel::litmus;
  const std::string_view what = argc == 2 ? argv[1] : "";
  if (what == "program") {
    print_program();
  } else if (what == "verdicts") {
    print_verdicts();
  } else if (what == "names") {
    for (const Shape& shape : shapes()) print(shape.name + "\n");
  } else if (what == "table") {
    print_table();
  } else {
    print("usage: litmus_tool program|verdicts|names|table\n");
    return 2;
  }
  return std::fflush(stdout) == 0 ? 0 : 3;
}
