// SPDX-License-Identifier: Apache-2.0
#include "driver/reproduce/harness_build.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <future>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/process/run_process.h"
#include "driver/reproduce/harness_writer.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

bool is_c(const std::string& source) { return source.ends_with(".c"); }

// Without the standard of the other language.
std::vector<std::string> options_for(bool c, const BuildPlan& plan) {
  std::vector<std::string> options = plan.options;
  std::erase_if(options, [&](const std::string& word) {
    return word.starts_with("-std=") && (word.find("++") == std::string::npos) != c;
  });
  return options;
}

// `ravel c++` or `ravel cc`, with the compiler of the plan. Its output has the errors.
Result<RunEnd> compile(const std::vector<std::string>& words, const BuildPlan& plan, bool c = false) {
  std::vector<std::string> command = {plan.ravel, c ? "cc" : "c++"};
  command.insert(command.end(), words.begin(), words.end());
  ProcessOrder order(std::move(command));
  order.directory = plan.directory.string();
  order.environment = {"RAVEL_CXX=" + joined(plan.compiler), "RAVEL_CC=" + joined(plan.c_compiler),
                       "TMPDIR=" + plan.work.string(), "LC_ALL=C"};
  RunSettings settings;
  settings.errors = true;
  settings.deadline = plan.deadline;
  auto done = run_process(order, settings);
  if (done.is_ok() && done.value().cut) {
    return Status::trouble(fmt::format("{} while compiling", plan.deadline.reason()), "--time allows more");
  }
  return done;
}

std::vector<std::string> compile_words(const BuildPlan& plan, const std::string& source, const std::string& object,
                                       const std::string& debug = "-g") {
  std::vector<std::string> words = options_for(is_c(source), plan);
  words.insert(words.end(), {"-O0", debug, "-w", "-c", source, "-o", object});
  return words;
}

std::string first_error(const std::string& output) {
  std::size_t at = output.find("error:");
  if (at == std::string::npos) at = output.find("undefined reference");
  if (at == std::string::npos) return output.substr(0, output.find('\n'));
  const std::size_t begin = output.rfind('\n', at) == std::string::npos ? 0 : output.rfind('\n', at) + 1;
  return output.substr(begin, output.find('\n', at) - begin);
}

constexpr const char* kAdvice =
    "give the options it is compiled with after --, or --compile-commands FILE; and all sources of the class with "
    "--source";

Status compile_source(const std::string& source, const std::string& object, const BuildPlan& plan,
                      const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = compile_words(plan, source, object);
  words.insert(words.end(), more.begin(), more.end());
  const auto done = compile(words, plan, is_c(source));
  if (!done.is_ok()) return done.status();
  if (done.value().code() == 0) return Status::ok();
  return Status::trouble(fmt::format("{} does not compile: {}", source, first_error(done.value().output)), kAdvice);
}

bool holds(const HarnessSource::Lines& lines, const std::set<std::size_t>& wrong) {
  const auto at = wrong.lower_bound(lines.first);
  return at != wrong.end() && *at <= lines.last;
}

// Takes out what the lines belong to. False: they belong to nothing that can be left out.
bool leave_out(ClassListing& listing, const HarnessSource& source, const std::set<std::size_t>& wrong) {
  bool any = false;
  std::set<std::string> gone;
  for (std::size_t i = listing.slots.size(); i-- > 0;) {
    if (!holds(source.slots[i], wrong)) continue;
    gone.insert(listing.slots[i].name);
    listing.left_out.push_back({listing.slots[i].value, "it does not compile in the harness"});
    listing.slots.erase(listing.slots.begin() + static_cast<std::ptrdiff_t>(i));
    any = true;
  }
  const auto needs_gone = [&](const std::string& text) {
    const std::vector<std::string> names = slots_in(text);
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return gone.contains(name); });
  };
  for (std::size_t i = 0; i < listing.pools.size(); ++i) {
    std::vector<std::string>& values = listing.pools[i].values;
    for (std::size_t k = values.size(); k-- > 0;) {
      if (!holds(source.values[i][k], wrong) && !needs_gone(values[k])) continue;
      values.erase(values.begin() + static_cast<std::ptrdiff_t>(k));
      any = true;
    }
  }
  for (std::size_t i = listing.operations.size(); i-- > 0;) {
    ClassOperation& operation = listing.operations[i];
    if (gone.contains(operation.result)) operation.result.clear();
    const bool without_values = std::any_of(operation.pools.begin(), operation.pools.end(),
                                            [&](unsigned pool) { return listing.pools[pool].values.empty(); });
    if (!holds(source.operations[i], wrong) && !without_values) continue;
    // Types were tried for a template: what matters is whether any of them fit.
    const bool others =
        operation.is_instance &&
        std::any_of(listing.operations.begin(), listing.operations.end(), [&](const ClassOperation& one) {
          return &one != &operation && one.is_instance && one.name == operation.name;
        });
    if (!others) listing.left_out.push_back({operation.signature, "it does not compile in the harness"});
    listing.operations.erase(listing.operations.begin() + static_cast<std::ptrdiff_t>(i));
    any = true;
  }
  return any;
}

// The harness itself: again without what the compiler rejects.
Status compile_harness(ClassListing& listing, const std::string& object, const BuildPlan& plan) {
  const std::string file = (plan.work / "harness.cpp").string();
  constexpr int kAttempts = 4;
  std::string error;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const HarnessSource source = write_harness(listing, include_lines(plan.headers, plan.c_headers));
    std::ofstream(file) << source.text;
    const auto done = compile(compile_words(plan, file, object, "-g1"), plan);
    if (!done.is_ok()) return done.status();
    if (done.value().code() == 0) return Status::ok();
    error = first_error(done.value().output);
    const std::vector<std::size_t> lines = error_lines(done.value().output, file);
    if (!leave_out(listing, source, {lines.begin(), lines.end()})) break;
  }
  return Status::trouble(fmt::format("a harness for {} does not compile: {}", listing.name, error), kAdvice);
}

// Not -I: a file of the user's must not take the place of a header of the system that has its name.
std::vector<std::string> quoted_folders(const BuildPlan& plan) {
  std::vector<std::string> words;
  for (const std::string& folder : plan.folders) {
    words.insert(words.end(), {"-iquote", fs::absolute(folder).lexically_normal().string()});
  }
  return words;
}

Status link(const std::vector<std::string>& objects, const std::string& program, const BuildPlan& plan) {
  std::vector<std::string> words = objects;
  for (const std::string& option : options_for(false, plan)) words.push_back(option);
  // Addresses of a program that is not moved are those of its file: symbols need no more.
  words.insert(words.end(), {"-no-pie", "-pthread", "-o", program});
  const auto done = compile(words, plan);
  if (!done.is_ok()) return done.status();
  if (done.value().code() == 0) return Status::ok();
  return Status::trouble(fmt::format("the test cannot be linked: {}", first_error(done.value().output)), kAdvice);
}

}  // namespace

std::vector<std::size_t> error_lines(const std::string& output, const std::string& file) {
  std::vector<std::size_t> lines;
  for (std::size_t at = output.find(file + ":"); at != std::string::npos; at = output.find(file + ":", at + 1)) {
    const std::size_t number = std::strtoul(output.c_str() + at + file.size() + 1, nullptr, 10);
    const std::size_t end = output.find('\n', at);
    const std::string line = output.substr(at, end == std::string::npos ? end : end - at);
    // An error in a header names the line of the harness that needed it as "required from here".
    if (line.find("error:") == std::string::npos && line.find("required from here") == std::string::npos &&
        line.find("requested here") == std::string::npos) {
      continue;
    }
    lines.push_back(number);
  }
  return lines;
}

Result<BuiltHarness> build_harness(ClassListing& listing, const BuildPlan& plan) {
  BuiltHarness built;
  std::vector<std::future<Status>> compilations;
  for (std::size_t i = 0; i < plan.sources.size(); ++i) {
    built.objects.push_back((plan.work / fmt::format("source{}.o", i)).string());
    compilations.push_back(
        std::async(std::launch::async, [&plan, source = plan.sources[i], object = built.objects.back()] {
          return compile_source(source, object, plan);
        }));
  }
  const std::string object = (plan.work / "harness.o").string();
  const Status harness = compile_harness(listing, object, plan);
  for (std::future<Status>& compilation : compilations) {
    if (const Status status = compilation.get(); !status.is_ok()) return status;
  }
  if (!harness.is_ok()) return harness;
  built.program = (plan.work / "harness").string();
  std::vector<std::string> objects = built.objects;
  objects.push_back(object);
  if (Status status = link(objects, built.program, plan); !status.is_ok()) return status;
  return built;
}

Result<std::string> build_test(const fs::path& source, const fs::path& program, const std::vector<std::string>& objects,
                               const BuildPlan& plan) {
  const std::string object = (plan.work / "test.o").string();
  if (Status status = compile_source(source.string(), object, plan, quoted_folders(plan)); !status.is_ok()) {
    return status;
  }
  std::vector<std::string> all = objects;
  all.push_back(object);
  if (Status status = link(all, program.string(), plan); !status.is_ok()) {
    std::error_code error;
    fs::remove(program, error);  // half of it
    return status;
  }
  return program.string();
}

std::string compile_commands_of(const fs::path& source, const BuildPlan& plan) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  std::vector<std::string> files = {source.string()};
  files.insert(files.end(), plan.sources.begin(), plan.sources.end());
  for (const std::string& file : files) {
    std::vector<std::string> words = is_c(file) ? plan.c_compiler : plan.compiler;
    for (const std::string& option : quoted_folders(plan)) words.push_back(option);
    for (const std::string& word : compile_words(plan, file, fs::path(file).stem().string() + ".o"))
      words.push_back(word);
    all.push_back({{"directory", plan.directory.string()}, {"file", file}, {"arguments", words}});
  }
  return all.dump(2) + "\n";
}

std::string build_command(const fs::path& source, const fs::path& program, const BuildPlan& plan) {
  const fs::path here = fs::current_path();
  // As the user would type it.
  const auto shown = [&](const std::string& path) {
    const fs::path relative = fs::path(path).lexically_relative(here);
    return relative.empty() || *relative.begin() == ".." ? path : relative.string();
  };
  std::string before;
  std::string text = "ravel c++ -O0 -g";
  for (const std::string& option : options_for(false, plan)) text += " " + option;
  // Relative options are those of the folder that the compiler ran in.
  for (const std::string& folder : plan.folders) {
    text += " -iquote " + (plan.directory == here ? folder : fs::absolute(folder).lexically_normal().string());
  }
  text += " " + source.string();
  for (const std::string& one : plan.sources) {
    if (!is_c(one)) {
      text += " " + shown(one);
      continue;
    }
    const std::string object = (source.parent_path() / fs::path(one).stem()).string() + ".o";
    const std::string options = joined(options_for(true, plan));
    before +=
        fmt::format("ravel cc -O0 -g {}{}-c {} -o {} && ", options, options.empty() ? "" : " ", shown(one), object);
    text += " " + object;
  }
  return before + text + " -pthread -o " + program.string();
}

}  // namespace ravel
