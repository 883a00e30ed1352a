// SPDX-License-Identifier: Apache-2.0
#include "driver/target/program_libraries.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "driver/process/file_descriptor.h"
#include "driver/process/run_process.h"
#include "reports/symboliser.h"

namespace ravel {
namespace {

// The dynamic symbols of an ELF file, and its loader.
struct DynamicSymbols {
  std::string loader;  // empty for libraries
  std::set<std::string> wanted;
  std::set<std::string> offered;
  bool instrumented = false;
};

void read_table(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, DynamicSymbols& symbols) {
  Elf_Data* const data = ::elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return;
  const std::size_t count = header.sh_size / header.sh_entsize;
  for (std::size_t i = 1; i < count; ++i) {
    GElf_Sym symbol;
    if (::gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) continue;
    const char* const name = ::elf_strptr(elf, header.sh_link, symbol.st_name);
    if (name == nullptr || *name == '\0') continue;
    if (symbol.st_shndx != SHN_UNDEF) {
      symbols.offered.emplace(name);
    } else {
      symbols.wanted.emplace(name);
      if (std::string_view(name).starts_with("__tsan_")) symbols.instrumented = true;
    }
  }
}

DynamicSymbols read_symbols(const std::string& path) {
  DynamicSymbols symbols;
  ::elf_version(EV_CURRENT);
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return symbols;
  Elf* const elf = ::elf_begin(file.get(), ELF_C_READ_MMAP, nullptr);
  if (elf == nullptr) return symbols;
  std::size_t segments = 0;
  std::size_t size = 0;
  const char* const bytes = ::elf_rawfile(elf, &size);
  if (::elf_getphdrnum(elf, &segments) != 0) segments = 0;
  for (std::size_t i = 0; i < segments && bytes != nullptr; ++i) {
    GElf_Phdr segment;
    if (::gelf_getphdr(elf, static_cast<int>(i), &segment) == nullptr || segment.p_type != PT_INTERP) continue;
    if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset) continue;
    symbols.loader.assign(bytes + segment.p_offset, ::strnlen(bytes + segment.p_offset, segment.p_filesz));
  }
  Elf_Scn* section = nullptr;
  while ((section = ::elf_nextscn(elf, section)) != nullptr) {
    GElf_Shdr header;
    if (::gelf_getshdr(section, &header) != nullptr && header.sh_type == SHT_DYNSYM) {
      read_table(elf, section, header, symbols);
    }
  }
  ::elf_end(elf);
  return symbols;
}

// What the loader prints instead of starting the program, as ldd asks it to. Not its option --list: that stops at the
// first library it cannot find.
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

bool is_runtime_library(const std::string& name) {
  static constexpr std::string_view kNames[] = {
      "ld-linux",     "libc.so",      "libm.so",      "libmvec.so",  "libpthread.so", "libdl.so",
      "librt.so",     "libutil.so",   "libresolv.so", "libgcc_s.so", "libstdc++.so",  "libc++.so",
      "libc++abi.so", "libunwind.so", "libatomic.so", "libtsan.so",  "libravel.so",   "libclang_rt."};
  const std::string_view file = std::string_view(name).substr(name.rfind('/') + 1);
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view known) { return file.starts_with(known); });
}

Result<std::vector<ProgramLibrary>> list_libraries(const std::string& program) {
  DynamicSymbols own = read_symbols(program);
  if (own.loader.empty()) {
    return Status::trouble(fmt::format("{} names no loader", program), "give a dynamically linked program");
  }
  const auto text = ask_loader(own.loader, program);
  if (!text.is_ok()) return text.status();
  std::vector<ProgramLibrary> libraries = parse_list(text.value());

  // Who is instrumented wants; who is not offers. A plain program counts as instrumented: its calls are shown too.
  std::set<std::string> wanted = std::move(own.wanted);
  std::vector<DynamicSymbols> symbols(libraries.size());
  for (std::size_t i = 0; i < libraries.size(); ++i) {
    if (libraries[i].runtime || libraries[i].path.empty()) continue;
    symbols[i] = read_symbols(libraries[i].path);
    libraries[i].instrumented = symbols[i].instrumented;
    if (symbols[i].instrumented) wanted.insert(symbols[i].wanted.begin(), symbols[i].wanted.end());
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
