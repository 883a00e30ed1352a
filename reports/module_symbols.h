// SPDX-License-Identifier: Apache-2.0
// ModuleSymbols: what one ELF file says about its addresses: DWARF (in the file or next to it) and symbol tables.
// All addresses here are link-time addresses of the file.
//
// Who calls it: Symboliser, which adds load addresses and caching. Thread safety: none.
//
// Why not dwfl_module_getsrc: libdw finds the compilation unit of an address through .debug_aranges, which clang does
// not write by default; then there is no line. So we index the ranges of all units ourselves.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "reports/symboliser.h"

namespace ravel {

class ModuleSymbols {
 public:
  // Opens nothing yet. `directory` is what file names are shown relative to.
  ModuleSymbols(std::string path, std::filesystem::path directory);
  ~ModuleSymbols();
  ModuleSymbols(const ModuleSymbols&) = delete;
  ModuleSymbols& operator=(const ModuleSymbols&) = delete;

  // The calls at `address`, innermost first; never empty. Module and offset of the frames are left to the caller.
  std::vector<Frame> code(std::uint64_t address);

  // See SymbolSource::data and SymbolSource::thread_local_data.
  DataName data(std::uint64_t address, std::uint64_t size);
  DataName thread_local_data(std::uint64_t distance, std::uint64_t size);

  // See SymbolSource::local_data. Only frame.pc is an address of the file.
  DataName local_data(const StackFrame& frame, std::uint64_t address, std::uint64_t size);

  // See Symboliser::is_signal_return.
  bool is_signal_return(std::uint64_t address);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ravel
