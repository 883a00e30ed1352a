// SPDX-License-Identifier: Apache-2.0
// `ravel doctor`: what works on this machine and for this program, and what to do about the rest.
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/process/environment.h"
#include "driver/process/file_descriptor.h"
#include "driver/target/program_file.h"
#include "driver/target/program_libraries.h"

namespace ravel {
namespace {

enum class Verdict { good, lesser, bad };

class Sheet {
 public:
  explicit Sheet(Console& console) : console_(console) {}

  void say(Verdict verdict, const std::string& fact, const std::string& advice = {}) {
    const char* const mark = verdict == Verdict::good ? "ok  " : verdict == Verdict::lesser ? "--  " : "NO  ";
    console_.print(fmt::format("  {}{}\n", mark, fact));
    if (!advice.empty()) console_.print(fmt::format("        {}\n", advice));
    if (verdict == Verdict::bad) healthy_ = false;
  }

  void explain(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) console_.print(fmt::format("        {}\n", line));
  }

  bool healthy() const { return healthy_; }

 private:
  Console& console_;
  bool healthy_ = true;
};

bool may_disable_randomisation() {
  const int before = ::personality(0xffffffffUL);
  if (before == -1 || ::personality(static_cast<unsigned long>(before) | ADDR_NO_RANDOMIZE) == -1) return false;
  ::personality(static_cast<unsigned long>(before));
  return true;
}

// What runtime/resident/written_pages.h needs.
bool can_track_written_pages() {
  constexpr int kUserModeOnly = 1;                          // UFFD_USER_MODE_ONLY
  constexpr std::uint64_t kAsync = std::uint64_t{1} << 15;  // UFFD_FEATURE_WP_ASYNC
  const FileDescriptor faults(static_cast<int>(::syscall(SYS_userfaultfd, O_CLOEXEC | kUserModeOnly)));
  uffdio_api api{};
  api.api = UFFD_API;
  api.features = kAsync;
  return faults.valid() && ::ioctl(faults.get(), UFFDIO_API, &api) == 0;
}

void examine_machine(Sheet& sheet) {
#if defined(__x86_64__)
  sheet.say(Verdict::good,
            fmt::format("64-bit x86 Linux, {} cores", std::max(1U, std::thread::hardware_concurrency())));
#else
  sheet.say(Verdict::bad, "this is not a 64-bit x86 machine", "Ravel runs on 64-bit x86 Linux");
#endif
  constexpr unsigned long kFsgsbase = 1UL << 1;  // HWCAP2_FSGSBASE
  if ((::getauxval(AT_HWCAP2) & kFsgsbase) != 0) {
    sheet.say(Verdict::good, "fibers can switch thread identities by instruction (fsgsbase)");
  } else {
    sheet.say(Verdict::lesser, "fsgsbase is not available: fibers switch by system call, several times slower",
              "use Linux 5.9 or newer, without the boot option nofsgsbase");
  }
  if (may_disable_randomisation()) {
    sheet.say(Verdict::good, "address-space randomisation can be switched off for programs under test");
  } else {
    sheet.say(Verdict::bad, "address-space randomisation cannot be switched off, so executions cannot be replayed",
              "in a container, allow the personality call (docker: --security-opt seccomp=unconfined)");
  }
  if (FileDescriptor(::memfd_create("ravel-doctor", MFD_CLOEXEC)).valid()) {
    sheet.say(Verdict::good, "memory can be shared with programs under test (memfd)");
  } else {
    sheet.say(Verdict::bad, "memfd_create is refused", "allow it in the container or sandbox");
  }
  if (can_track_written_pages()) {
    sheet.say(Verdict::good, "one process can perform many executions (userfaultfd with WP_ASYNC)");
  } else {
    sheet.say(Verdict::lesser, "every execution is a fork of its own, which is slower",
              "use Linux 6.7 or newer; in a container, allow the userfaultfd call");
  }
  const auto runtime = find_runtime();
  if (runtime.is_ok()) {
    sheet.say(Verdict::good, "runtime: " + runtime.value());
  } else {
    sheet.say(Verdict::bad, runtime.status().what(), runtime.status().advice());
  }
  if (!find_in_path("gdb").empty()) {
    sheet.say(Verdict::good, "gdb, for ravel replay --gdb");
  } else {
    sheet.say(Verdict::lesser, "no gdb in PATH: ravel replay --gdb needs it", "apt install gdb");
  }
  for (const auto& [command, variable, fallback] :
       {std::tuple{"ravel cc", "RAVEL_CC", "cc"}, std::tuple{"ravel c++", "RAVEL_CXX", "c++"}}) {
    const char* const chosen = std::getenv(variable);
    const std::string compiler = chosen != nullptr && *chosen != '\0' ? chosen : fallback;
    if (!find_in_path(compiler.substr(0, compiler.find(' '))).empty()) {
      sheet.say(Verdict::good, fmt::format("{} uses {}", command, compiler));
    } else {
      sheet.say(Verdict::lesser, fmt::format("no compiler {} in PATH for {}", compiler, command),
                fmt::format("apt install g++, or set {}", variable));
    }
  }
}

std::string called_text(const ProgramLibrary& library) {
  constexpr std::size_t kNamed = 4;
  if (library.called.empty()) return "not called directly";
  std::string text = "called: ";
  for (std::size_t i = 0; i < library.called.size() && i < kNamed; ++i) {
    text += (i == 0 ? "" : ", ") + library.called[i].substr(0, library.called[i].find('('));
  }
  if (library.called.size() > kNamed) text += fmt::format(" and {} more", library.called.size() - kNamed);
  return text;
}

// What race detection cannot see into, and what to do about it.
void examine_libraries(const ProgramFile& program, Sheet& sheet) {
  const auto listed = list_libraries(program.path);
  if (!listed.is_ok()) {
    sheet.say(Verdict::lesser, listed.status().what(), listed.status().advice());
    return;
  }
  const bool any_instrumented =
      program.level == BuildLevel::tsan_shared || std::any_of(listed.value().begin(), listed.value().end(),
                                                              [](const auto& library) { return library.instrumented; });
  std::size_t unseen = 0;
  std::size_t seen = 0;
  for (const ProgramLibrary& library : listed.value()) {
    if (library.path.empty()) {
      sheet.say(Verdict::bad, fmt::format("{} is not found: the program will not start", library.name),
                "install it, or name its folder in LD_LIBRARY_PATH");
    } else if (!any_instrumented) {
      continue;  // memory accesses are not seen anyway, as the sheet already says
    } else if (library.instrumented) {
      ++seen;
      sheet.say(Verdict::good, fmt::format("{} is instrumented", library.name));
    } else if (!library.runtime) {
      ++unseen;
      sheet.say(Verdict::lesser, fmt::format("{} is not instrumented; {}", library.name, called_text(library)));
    }
  }
  if (!any_instrumented) return;
  if (unseen == 0) {
    sheet.say(Verdict::good,
              fmt::format("every library it is linked with is instrumented or part of the C and C++ runtime{}",
                          seen == 0 ? " (it has no others)" : ""));
    return;
  }
  sheet.explain({"What that means for race detection:",
                 "  - memory that these libraries access is not watched: a race inside them, or between them and your",
                 "    code, is not reported",
                 "  - their locks order tasks as always; order they make with atomics of their own is not seen: a race",
                 "    that it could explain is reported as an unclear race, not as a finding", "What you can do:",
                 "  - build the library with ravel c++ or -fsanitize=thread too, and let the program use that build",
                 "  - say in your code what they order: __tsan_release(address) before, __tsan_acquire(address) after,",
                 "    from sanitizer/tsan_interface.h",
                 "  - suppress what is reported wrongly: ravel run --suppressions FILE, with a line such as",
                 "    called_from_lib:LIBRARY (its unclear races) or race:FUNCTION"});
}

void examine_program(const std::string& typed, Sheet& sheet) {
  const auto inspected = inspect_program(typed);
  if (!inspected.is_ok()) {
    sheet.say(Verdict::bad, inspected.status().what(), inspected.status().advice());
    return;
  }
  const ProgramFile& program = inspected.value();
  if (const Status status = check_controllable(program, typed); !status.is_ok()) {
    sheet.say(Verdict::bad, status.what(), status.advice());
    return;
  }
  sheet.say(Verdict::good, "a dynamically linked 64-bit x86 program: ravel run can control its threads");
  const bool needs_clang = std::any_of(program.needed.begin(), program.needed.end(), [](const std::string& library) {
    return library.starts_with("libclang_rt.tsan");
  });
  switch (program.level) {
    case BuildLevel::tsan_shared:
      sheet.say(Verdict::good, fmt::format("instrumented ({}): Ravel sees its synchronisation and its memory accesses",
                                           needs_clang ? "clang -fsanitize=thread -shared-libsan"
                                                       : "ravel c++, ravel cc or g++ -fsanitize=thread"));
      break;
    case BuildLevel::plain:
      sheet.say(Verdict::lesser,
                "not instrumented: Ravel sees its synchronisation (threads, locks, conditions, time), not its memory "
                "accesses",
                "to see those too, build it with ravel c++ (CXX=\"ravel c++\" make), or g++ -fsanitize=thread -g");
      break;
    case BuildLevel::tsan_static:
    case BuildLevel::other_sanitizer:
      break;  // check_controllable has reported it
  }
  if (program.has_debug_info) {
    sheet.say(Verdict::good, "debug information: reports show source lines");
  } else if (program.has_symbols) {
    sheet.say(Verdict::lesser, "no debug information: reports show functions, not source lines", "build it with -g");
  } else {
    sheet.say(Verdict::lesser, "stripped: reports can name few of its functions",
              "build it with -g and do not strip it");
  }
  examine_libraries(program, sheet);
}

int doctor(const CommandLine& line) {
  Console console;
  Sheet sheet(console);
  console.print("This machine:\n");
  examine_machine(sheet);
  if (!line.program.empty()) {
    console.print(fmt::format("{}:\n", line.program[0]));
    examine_program(line.program[0], sheet);
  }
  return sheet.healthy() ? 0 : kTrouble;
}

}  // namespace

Command define_doctor(Options& options, const CommandLine& line) {
  options.usage("ravel doctor [-- PROGRAM]");
  options.takes_program();
  options.notes(
      "Examples:\n"
      "  ravel doctor             what works on this machine\n"
      "  ravel doctor -- ./bank   and what Ravel will see of ./bank\n\n"
      "Exit codes: 0 everything needed is there, 2 something is missing.");
  return [&line] { return doctor(line); };
}

}  // namespace ravel
