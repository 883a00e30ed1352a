// SPDX-License-Identifier: Apache-2.0
#include "driver/target/program_file.h"

#include <elf.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "driver/process/environment.h"
#include "elf/debug_file.h"
#include "elf/elf_file.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

std::string shell_example(const std::string& program) { return "ravel run -- " + program; }

Status check_access(const std::string& path, const std::string& typed) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) {
      return Status::trouble(fmt::format("there is no program {}", typed),
                             "check the path; if the program is not built yet, build it first");
    }
    return Status::trouble(fmt::format("cannot look at {}: {}", typed, std::strerror(errno)), "check the path");
  }
  if (S_ISDIR(status.st_mode)) {
    return Status::trouble(fmt::format("{} is a directory", typed),
                           fmt::format("give the program itself, for example: {}", shell_example(typed + "/PROGRAM")));
  }
  if (!S_ISREG(status.st_mode)) {
    return Status::trouble(fmt::format("{} is not a regular file", typed), "give the path of a program");
  }
  // access() allows root nearly everything, so check the mode bits too.
  if (::access(path.c_str(), X_OK) != 0 || (status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) == 0) {
    return Status::trouble(fmt::format("{} is not executable", typed),
                           fmt::format("if it is a program: chmod +x {}", typed));
  }
  if (::access(path.c_str(), R_OK) != 0) {
    return Status::trouble(fmt::format("{} cannot be read, so Ravel cannot tell what it is", typed),
                           fmt::format("allow reading it: chmod +r {}", typed));
  }
  const bool has_capabilities = ::getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
  if ((status.st_mode & (S_ISUID | S_ISGID)) != 0 || has_capabilities) {
    return Status::trouble(fmt::format("{} {}, and the system does not preload libraries into such a program", typed,
                                       has_capabilities ? "has file capabilities" : "is setuid or setgid"),
                           "run a plain copy of it: cp PROGRAM copy && ravel run -- ./copy");
  }
  return Status::ok();
}

// A script starts with "#!"; the advice depends on the kind of script.
Status explain_script(const std::string& path, const std::string& typed) {
  std::ifstream file(path);
  std::string first;
  std::getline(file, first);
  std::string interpreter = first.substr(2);
  interpreter.erase(0, interpreter.find_first_not_of(" \t"));
  if (interpreter.size() > 100) interpreter.resize(100);
  const fs::path real = fs::path(path).parent_path() / ".libs" / fs::path(path).filename();
  std::error_code error;
  std::string start(4096, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (start.find("libtool") != std::string::npos && fs::exists(real, error)) {
    return Status::trouble(fmt::format("{} is a libtool wrapper script, not the program", typed),
                           fmt::format("give the program itself: LD_LIBRARY_PATH={} {}", real.parent_path().string(),
                                       shell_example(real.string())));
  }
  return Status::trouble(fmt::format("{} is a script run by {}, not a program", typed, interpreter),
                         "give the compiled program that the script starts");
}

std::string machine_name(int machine) {
  switch (machine) {
    case EM_386:
      return "32-bit x86";
    case EM_AARCH64:
      return "64-bit ARM";
    case EM_ARM:
      return "32-bit ARM";
    case EM_RISCV:
      return "RISC-V";
    case EM_PPC64:
      return "64-bit POWER";
    default:
      return fmt::format("another machine (ELF number {})", machine);
  }
}

Status check_machine(const ElfFile& file, const std::string& typed) {
  if (file.machine() == EM_NONE) {
    return Status::trouble(fmt::format("{} is damaged: its ELF header cannot be read", typed), "build it again");
  }
  if (file.machine() == EM_X86_64 && file.is_32_bit()) {
    return Status::trouble(fmt::format("{} is a 32-bit (x32) program; Ravel runs 64-bit x86 programs", typed),
                           "build it without -mx32");
  }
  if (file.machine() == EM_386) {
    return Status::trouble(fmt::format("{} is a 32-bit program; Ravel runs 64-bit x86 programs", typed),
                           "build it without -m32");
  }
  if (file.machine() != EM_X86_64) {
    return Status::trouble(
        fmt::format("{} is built for {}; Ravel runs 64-bit x86 programs", typed, machine_name(file.machine())),
        "build it for this machine");
  }
  if (file.type() != ET_EXEC && file.type() != ET_DYN) {
    return Status::trouble(fmt::format("{} is an ELF file but not a program ({})", typed,
                                       file.type() == ET_CORE ? "a core file" : "an object file"),
                           "link it into a program first");
  }
  return Status::ok();
}

// What the symbol tables say about sanitizers.
void read_symbols(const ElfFile& file, ProgramFile& program) {
  bool calls_tsan = false;
  bool has_tsan = false;
  for (const std::uint32_t table : {SHT_DYNSYM, SHT_SYMTAB}) {
    for (const ElfSymbol& symbol : file.symbols(table)) {
      if (!symbol.name.starts_with("__")) continue;
      if (symbol.needed() && symbol.name.starts_with("__tsan_")) calls_tsan = true;
      if (symbol.defined && symbol.name == "__tsan_init") has_tsan = true;
      if (symbol.name == "__asan_init") program.sanitizer = "AddressSanitizer";
      if (symbol.name == "__hwasan_init") program.sanitizer = "HWAddressSanitizer";
      if (symbol.name == "__msan_init") program.sanitizer = "MemorySanitizer";
    }
  }
  if (!program.sanitizer.empty()) {
    program.level = BuildLevel::other_sanitizer;
  } else if (has_tsan) {
    program.level = BuildLevel::tsan_static;
  } else if (calls_tsan) {
    program.level = BuildLevel::tsan_shared;
  }
}

// Like execvp: a name with a slash is a path, any other is looked up in PATH.
Result<std::string> look_up(const std::string& typed) {
  if (typed.empty()) return Status::trouble("the name of the program is empty", "example: ravel run -- ./prog");
  if (typed.find('/') != std::string::npos) return typed;
  if (std::string found = find_in_path(typed); !found.empty()) return found;
  std::error_code error;
  if (fs::is_directory(typed, error)) return typed;  // the checks below report it
  if (fs::exists(typed, error)) {
    return Status::trouble(fmt::format("there is no program {} in PATH", typed),
                           fmt::format("did you mean the one in this directory? {}", shell_example("./" + typed)));
  }
  return Status::trouble(fmt::format("there is no program {} in PATH", typed), "check the name, or give a path to it");
}

}  // namespace

Result<ProgramFile> inspect_program(const std::string& typed) {
  auto found = look_up(typed);
  if (!found.is_ok()) return found.status();
  ProgramFile program;
  program.path = found.value();
  if (Status status = check_access(program.path, typed); !status.is_ok()) return status;

  const ElfFile file(program.path);
  if (!file.is_elf()) {
    char magic[2] = {};
    std::ifstream(program.path).read(magic, 2);
    if (magic[0] == '#' && magic[1] == '!') return explain_script(program.path, typed);
    return Status::trouble(
        fmt::format("{} is not a program this system can run (neither an ELF file nor a script)", typed),
        "give a compiled program");
  }
  if (Status status = check_machine(file, typed); !status.is_ok()) return status;
  if (file.segment(PT_INTERP) == nullptr) {
    if (file.type() == ET_DYN && !file.dynamic_strings(DT_SONAME).empty()) {
      return Status::trouble(fmt::format("{} is a shared library, not a program", typed),
                             "give the program that loads it");
    }
    return Status::trouble(fmt::format("{} is statically linked, so the runtime cannot be preloaded into it", typed),
                           "link it dynamically: leave out -static");
  }
  // A separate debug file (as distributions ship them) counts too, if it is there: the symboliser finds it.
  program.has_debug_info = file.has_section(".debug_info") || file.has_section(".zdebug_info") ||
                           !separate_debug_file(file, program.path).empty();
  program.has_symbols = file.has_section(".symtab");
  program.needed = file.dynamic_strings(DT_NEEDED);
  for (const std::string& library : program.needed) {
    if (library.starts_with("libasan.so") || library.starts_with("libclang_rt.asan")) {
      program.sanitizer = "AddressSanitizer";
    }
    if (library.starts_with("libhwasan.so")) program.sanitizer = "HWAddressSanitizer";
  }
  read_symbols(file, program);
  return program;
}

Status check_controllable(const ProgramFile& program, const std::string& typed) {
  if (program.level == BuildLevel::tsan_static) {
    return Status::trouble(fmt::format("{} has ThreadSanitizer's own runtime linked in, where Ravel's belongs", typed),
                           "build it with ravel c++, or add -shared-libsan when linking with clang");
  }
  if (program.level == BuildLevel::other_sanitizer) {
    return Status::trouble(fmt::format("{} is built with {}, whose runtime intercepts the same calls as Ravel's", typed,
                                       program.sanitizer),
                           "build it without that sanitizer for Ravel");
  }
  return Status::ok();
}

Result<std::string> find_runtime() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const fs::path root = self.parent_path().parent_path();
  for (const char* const place : {"lib/libravel.so", "lib/ravel/libravel.so"}) {
    const fs::path candidate = root / place;
    if (fs::exists(candidate, error)) return candidate.string();
  }
  return Status::trouble(fmt::format("the runtime libravel.so is not at {}", (root / "lib/libravel.so").string()),
                         "build or install all of Ravel: the runtime comes with the tool");
}

Result<ProgramFile> open_program(const std::vector<std::string>& words, TargetSettings& settings) {
  if (words.empty()) return Status::trouble("no program is given", "name it after --, as in: -- ./prog --its-options");
  auto program = inspect_program(words[0]);
  if (!program.is_ok()) return program;
  if (const Status status = check_controllable(program.value(), words[0]); !status.is_ok()) return status;
  auto runtime = find_runtime();
  if (!runtime.is_ok()) return runtime.status();
  settings.executable = std::filesystem::absolute(program.value().path).lexically_normal().string();
  settings.arguments = words;
  settings.runtime = std::move(runtime.value());
  return program;
}

}  // namespace ravel
