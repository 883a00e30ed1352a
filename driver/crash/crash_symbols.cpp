// SPDX-License-Identifier: Apache-2.0
#include "driver/crash/crash_symbols.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "elf/elf_file.h"

namespace ravel {
namespace {

class FrameSymbols {
 public:
  explicit FrameSymbols(std::string binary) : binary_(std::move(binary)), elf_(binary_), build_id_(elf_.build_id()) {}

  // Empty when everything fits.
  std::string other_build_id(const CrashReport& report) const {
    if (build_id_.empty()) return {};
    for (const CrashThread& thread : report.threads) {
      for (const CrashFrame& frame : thread.frames) {
        if (is_named_binary(frame) && !frame.build_id.empty() && frame.build_id != build_id_) return frame.build_id;
      }
    }
    return {};
  }

  void complete(CrashThread& thread) {
    std::vector<CrashFrame> frames;
    bool exact = true;  // the newest frame is where it stopped; the others are where they will go on
    for (CrashFrame& frame : thread.frames) {
      add(frames, std::move(frame), exact ? AddressKind::exact : AddressKind::return_address);
      exact = frames.back().signal_handler;
    }
    thread.frames = std::move(frames);
  }

 private:
  bool is_named_binary(const CrashFrame& frame) const { return base_name(frame.module) == base_name(binary_); }

  // A program that is not position-independent is where it was linked, so an address tells its code.
  bool is_at_fixed_place(const CrashFrame& frame) const {
    if (elf_.type() != ET_EXEC || !frame.module.empty() || !frame.address) return false;
    return !elf_.loaded_bytes(*frame.address, 1).empty();
  }

  // The file with the code of the frame; empty when there is none.
  std::string file_of(const CrashFrame& frame) const {
    if (!frame.build_id.empty() && frame.build_id == build_id_) return binary_;
    if (is_named_binary(frame) || is_at_fixed_place(frame)) return binary_;
    std::error_code ignored;
    if (frame.build_id.empty() || !std::filesystem::is_regular_file(frame.module, ignored)) return {};
    return build_id_of(frame.module) == frame.build_id ? frame.module : std::string();
  }

  // 0: not known.
  std::uint64_t offset_of(const CrashFrame& frame, const std::string& file) const {
    if (frame.offset != 0) return frame.offset;
    return file == binary_ && elf_.type() == ET_EXEC ? frame.address.value_or(0) : 0;
  }

  void add(std::vector<CrashFrame>& frames, CrashFrame frame, AddressKind kind) {
    const std::string file = frame.known() && frame.line != 0 ? std::string() : file_of(frame);
    const std::uint64_t offset = file.empty() ? 0 : offset_of(frame, file);
    if (offset == 0 || frame.signal_handler) {
      frames.push_back(std::move(frame));
      return;
    }
    const std::vector<Frame>& found = symbols(file).code(offset, kind);
    if (frame.known() && found.front().line == 0) {
      frames.push_back(std::move(frame));
      return;
    }
    for (const Frame& call : found) {
      CrashFrame resolved = frame;
      set_place(resolved, call.file, call.line, call.column);
      set_function(resolved, call.function);
      resolved.inlined = call.inlined;
      frames.push_back(std::move(resolved));
    }
  }

  Symboliser& symbols(const std::string& file) {
    std::unique_ptr<Symboliser>& entry = symbols_[file];
    if (!entry) {
      // As if it were loaded where it was linked.
      const SymbolModule whole{0, std::numeric_limits<std::uint64_t>::max(), 0, file};
      entry = std::make_unique<Symboliser>(file, std::vector<SymbolModule>{whole});
    }
    return *entry;
  }

  std::string binary_;
  ElfFile elf_;
  std::string build_id_;
  std::map<std::string, std::unique_ptr<Symboliser>> symbols_;  // by file
};

}  // namespace

Status symbolise(CrashReport& report, const std::string& binary) {
  if (!ElfFile(binary).is_elf()) {
    return Status::trouble(fmt::format("{} is not a program or library", binary),
                           "give the file that crashed with --binary");
  }
  FrameSymbols symbols(binary);
  if (const std::string other = symbols.other_build_id(report); !other.empty()) {
    return Status::trouble(fmt::format("{} is not the build that crashed: its build id is {}, the report's is {}",
                                       binary, build_id_of(binary), other),
                           "give the very file that crashed with --binary");
  }
  for (CrashThread& thread : report.threads) symbols.complete(thread);
  return Status::ok();
}

}  // namespace ravel
