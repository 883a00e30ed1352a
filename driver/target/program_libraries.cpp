// SPDX-License-Identifier: Apache-2.0
#include "driver/target/program_libraries.h"

#include <elf.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "driver/process/run_process.h"
#include "elf/elf_file.h"
#include "model/runtime_library.h"
#include "reports/symboliser.h"

namespace ravel {
namespace {

// What an ELF file imports and exports.
struct DynamicSymbols {
  explicit DynamicSymbols(const ElfFile& file) {
    for (const ElfSymbol& symbol : file.symbols(SHT_DYNSYM)) {
      (symbol.defined ? offered : wanted).emplace(symbol.name);
      if (symbol.needed() && symbol.name.starts_with("__tsan_")) instrumented = true;
    }
  }

  std::set<std::string> wanted;
  std::set<std::string> offered;
  bool instrumented = false;
};

// What the loader prints instead of starting the program, asked as ldd does. Its option --list will not do: it stops at
// the first library it cannot find.
Result<std::string> ask_loader(const std::string& loader, const std::string& program) {
  ProcessOrder order({loader, program});
  order.environment = {"LD_TRACE_LOADED_OBJECTS=1"};
  order.name = "the loader " + loader;
  order.advice = "check that the program starts without Ravel";
  const auto ran = run_process(order, {});
  if (!ran.is_ok()) return ran.status();
  return ran.value().output;
}

// Lines are "\tlibz.so.1 => /lib/libz.so.1 (0x...)", "\tlibx.so => not found" or "\t/lib64/ld-linux... (0x...)".
std::vector<ProgramLibrary> parse_list(std::string_view text) {
  std::vector<ProgramLibrary> libraries;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.starts_with('\t')) continue;
    line.remove_prefix(1);
    const std::size_t address = line.rfind(" (0x");
    if (address != std::string_view::npos) line = line.substr(0, address);
    constexpr std::string_view kArrow = " => ";
    const std::size_t arrow = line.find(kArrow);
    ProgramLibrary library;
    library.name = line.substr(0, arrow);
    if (arrow == std::string_view::npos) {
      if (!line.starts_with('/')) continue;  // the kernel's own
      library.path = line;
      library.name = line.substr(line.rfind('/') + 1);
    } else if (line.substr(arrow + kArrow.size()) != "not found") {
      library.path = line.substr(arrow + kArrow.size());
    }
    library.runtime = is_runtime_library(library.name);
    libraries.push_back(std::move(library));
  }
  return libraries;
}

}  // namespace

Result<std::vector<ProgramLibrary>> list_libraries(const std::string& program) {
  const ElfFile file(program);
  const std::string loader = file.interpreter();
  if (loader.empty()) {
    return Status::trouble(fmt::format("{} names no loader", program), "give a dynamically linked program");
  }
  const auto text = ask_loader(loader, program);
  if (!text.is_ok()) return text.status();
  std::vector<ProgramLibrary> libraries = parse_list(text.value());

  // Instrumented files call, the others are called. A plain program counts as instrumented: its calls are listed too.
  std::set<std::string> wanted = DynamicSymbols(file).wanted;
  std::vector<DynamicSymbols> symbols;
  for (ProgramLibrary& library : libraries) {
    // Nothing is listed for runtime libraries, nor for libraries that were not found.
    symbols.emplace_back(library.runtime ? ElfFile() : ElfFile(library.path));
    library.instrumented = symbols.back().instrumented;
    if (library.instrumented) wanted.insert(symbols.back().wanted.begin(), symbols.back().wanted.end());
  }
  for (std::size_t i = 0; i < libraries.size(); ++i) {
    if (libraries[i].instrumented) continue;
    for (const std::string& name : symbols[i].offered) {
      if (wanted.count(name) > 0) libraries[i].called.push_back(demangle(name));
    }
  }
  return libraries;
}

}  // namespace ravel
