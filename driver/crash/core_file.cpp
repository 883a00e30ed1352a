// SPDX-License-Identifier: Apache-2.0
#include "driver/crash/core_file.h"

#include <elfutils/libdwfl.h>
#include <sys/procfs.h>

#include <csignal>
#include <cstring>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "driver/crash/failure_notes.h"
#include "driver/target/execution_record.h"
#include "elf/elf_file.h"

namespace ravel {
namespace {

using DwflHandle = std::unique_ptr<Dwfl, decltype(&dwfl_end)>;

constexpr std::size_t kMostFrames = 10'000;  // of one thread: a recursion without end is no news after that

// The program and its libraries as they were loaded.
std::vector<SymbolModule> modules_of(Dwfl* dwfl) {
  std::vector<SymbolModule> modules;
  const auto add = [](Dwfl_Module* module, void**, const char*, Dwarf_Addr, void* argument) -> int {
    GElf_Addr bias = 0;
    Dwarf_Addr start = 0;
    Dwarf_Addr end = 0;
    const char* file = nullptr;
    const bool has_file = dwfl_module_getelf(module, &bias) != nullptr;
    dwfl_module_info(module, nullptr, &start, &end, nullptr, nullptr, &file, nullptr);
    if (has_file && file != nullptr)
      static_cast<std::vector<SymbolModule>*>(argument)->push_back({start, end, bias, file});
    return DWARF_CB_OK;
  };
  dwfl_getmodules(dwfl, add, &modules, 0);
  return modules;
}

struct StackVisit {
  Symboliser& symbols;
  CrashReport& report;
};

int take_frame(Dwfl_Frame* state, void* argument) {
  auto& [symbols, report] = *static_cast<StackVisit*>(argument);
  Dwarf_Addr pc = 0;
  bool is_activation = false;  // it stopped here; otherwise pc is a return address
  if (!dwfl_frame_pc(state, &pc, &is_activation)) return DWARF_CB_ABORT;
  CrashThread& thread = report.threads.back();
  if (thread.frames.size() >= kMostFrames) return DWARF_CB_ABORT;
  if (symbols.is_signal_return(pc)) {
    CrashFrame& handler = thread.frames.emplace_back();
    handler.signal_handler = true;
    set_function(handler, {});
    return DWARF_CB_OK;
  }
  for (const Frame& call : symbols.code(pc, is_activation ? AddressKind::exact : AddressKind::return_address)) {
    CrashFrame frame;
    frame.address = pc;
    set_function(frame, call.function);
    set_place(frame, call.file, call.line, call.column);
    set_module(frame, call.module, call.offset);
    frame.inlined = call.inlined;
    thread.frames.push_back(std::move(frame));
  }
  return DWARF_CB_OK;
}

int take_thread(Dwfl_Thread* thread, void* argument) {
  auto& visit = *static_cast<StackVisit*>(argument);
  CrashThread& stack = visit.report.threads.emplace_back();
  stack.id = std::to_string(dwfl_thread_tid(thread));
  dwfl_thread_getframes(thread, take_frame, &visit);  // as far as it gets
  if (stack.frames.empty()) visit.report.threads.pop_back();
  return DWARF_CB_OK;
}

// The first thread of a core file is the one that got the signal.
int signal_of(Elf* core) {
  std::size_t count = 0;
  if (elf_getphdrnum(core, &count) != 0) return 0;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(core, static_cast<int>(i), &segment) == nullptr || segment.p_type != PT_NOTE) continue;
    Elf_Data* const notes =
        elf_getdata_rawchunk(core, static_cast<std::int64_t>(segment.p_offset), segment.p_filesz, ELF_T_NHDR);
    if (notes == nullptr) continue;
    std::size_t name = 0;
    std::size_t content = 0;
    GElf_Nhdr note;
    for (std::size_t at = 0; (at = gelf_getnote(notes, at, &note, &name, &content)) > 0;) {
      if (note.n_type != NT_PRSTATUS || note.n_descsz < sizeof(prstatus_t)) continue;
      prstatus_t status;
      std::memcpy(&status, static_cast<const char*>(notes->d_buf) + content, sizeof status);
      return status.pr_cursig;
    }
  }
  return 0;
}

}  // namespace

Result<CrashReport> read_core(const std::string& path, const std::string& binary) {
  const ElfFile core(path);
  if (!core.is_elf() || core.type() != ET_CORE) {
    return Status::trouble(fmt::format("{} is not a core file", path),
                           "'ulimit -c unlimited' lets a program leave one; 'coredumpctl dump' fetches it");
  }
  if (!ElfFile(binary).is_elf()) {
    return Status::trouble(fmt::format("{} is not a program", binary), "give the program that crashed with --binary");
  }
  static constexpr Dwfl_Callbacks kCallbacks = {dwfl_build_id_find_elf, dwfl_standard_find_debuginfo, nullptr, nullptr};
  const DwflHandle dwfl(dwfl_begin(&kCallbacks), &dwfl_end);
  const bool reported = dwfl != nullptr && dwfl_core_file_report(dwfl.get(), core.get(), binary.c_str()) >= 0 &&
                        dwfl_report_end(dwfl.get(), nullptr, nullptr) == 0 &&
                        dwfl_core_file_attach(dwfl.get(), core.get()) >= 0;
  if (!reported) {
    const char* const why = dwfl_errmsg(-1);
    return Status::trouble(fmt::format("cannot read {}: {}", path, why != nullptr ? why : "it is damaged"),
                           "make it again on a machine like this one, with 'ulimit -c unlimited' and room on the disk");
  }
  CrashReport report;
  report.format = CrashFormat::core_file;
  Symboliser symbols(binary, modules_of(dwfl.get()));
  StackVisit visit{symbols, report};
  dwfl_getthreads(dwfl.get(), take_thread, &visit);
  if (report.threads.empty()) {
    return Status::trouble(fmt::format("no stack in {} can be unwound", path),
                           "give the very program that crashed with --binary, with its libraries where they were");
  }
  report.threads.front().crashed = true;
  const int signal = signal_of(core.get());
  if (signal == 0) return report;
  FailureNotes notes;
  notes.take_frames(report.threads.front());
  report.failure = notes.failure();
  const char* const name = ::sigabbrev_np(signal);
  report.failure.signal = name != nullptr ? fmt::format("SIG{}", name) : std::string();
  if (signal == SIGABRT && report.failure.kind) return report;
  report.failure.kind = signal == SIGABRT ? FindingKind::abort : FindingKind::signal;
  report.failure.message = fmt::format("the program was killed by {}", signal_text(signal));
  return report;
}

}  // namespace ravel
