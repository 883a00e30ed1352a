// SPDX-License-Identifier: Apache-2.0
#include "reports/symboliser.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "reports/module_symbols.h"

namespace ravel {

std::string DataName::text() const { return name + member + (rest == 0 ? std::string() : "+" + std::to_string(rest)); }

struct Symboliser::State {
  std::vector<SymbolModule> modules;  // sorted by start
  std::filesystem::path directory;
  std::unordered_map<std::string, std::unique_ptr<ModuleSymbols>> symbols;  // by path
  std::unordered_map<std::uint64_t, std::vector<Frame>> frames;             // by the address looked up
  std::map<std::pair<std::uint64_t, std::uint64_t>, DataName> names;        // by address and size
  std::map<std::pair<std::uint64_t, std::uint64_t>, DataName> thread_locals;
  std::map<std::tuple<StackFrame, std::uint64_t, std::uint64_t>, DataName> locals;  // by frame, address and size
  struct Label {
    std::uint64_t address;
    std::uint64_t size;
    std::string name;
  };
  std::vector<Label> labels;
  std::map<std::pair<std::uint64_t, std::string>, DataName> labelled;  // by address and name
  std::string program;

  const SymbolModule* module_of(std::uint64_t address) const {
    const auto after = std::upper_bound(modules.begin(), modules.end(), address,
                                        [](std::uint64_t a, const SymbolModule& module) { return a < module.start; });
    if (after == modules.begin()) return nullptr;
    const SymbolModule& module = *std::prev(after);
    return address < module.end ? &module : nullptr;
  }

  ModuleSymbols& symbols_of(const SymbolModule& module) {
    std::unique_ptr<ModuleSymbols>& entry = symbols[module.path];
    if (!entry) entry = std::make_unique<ModuleSymbols>(module.path, directory);
    return *entry;
  }
};

Symboliser::Symboliser(const std::string& program, std::vector<SymbolModule> modules)
    : state_(std::make_unique<State>()) {
  state_->program = program;
  for (SymbolModule& module : modules) {
    if (module.path.empty()) module.path = program;
  }
  std::sort(modules.begin(), modules.end(),
            [](const SymbolModule& a, const SymbolModule& b) { return a.start < b.start; });
  state_->modules = std::move(modules);
  std::error_code ignored;
  state_->directory = std::filesystem::current_path(ignored);
}

namespace {

std::vector<SymbolModule> from_records(std::span<const ModuleRecord> records) {
  std::vector<SymbolModule> modules;
  modules.reserve(records.size());
  for (const ModuleRecord& record : records) {
    const char* end = std::find(std::begin(record.path), std::end(record.path), '\0');
    modules.push_back({record.start, record.end, record.bias, std::string(std::begin(record.path), end)});
  }
  return modules;
}

}  // namespace

Symboliser::Symboliser(const std::string& program, std::span<const ModuleRecord> modules)
    : Symboliser(program, from_records(modules)) {}

Symboliser::~Symboliser() = default;
Symboliser::Symboliser(Symboliser&&) noexcept = default;
Symboliser& Symboliser::operator=(Symboliser&&) noexcept = default;

const std::vector<Frame>& Symboliser::code(std::uint64_t address, AddressKind kind) {
  const std::uint64_t at = kind == AddressKind::return_address && address > 0 ? address - 1 : address;
  auto [it, is_new] = state_->frames.try_emplace(at);
  if (!is_new) return it->second;
  const SymbolModule* module = state_->module_of(at);
  if (module == nullptr) {
    it->second.emplace_back().function = "??";
    return it->second;
  }
  it->second = state_->symbols_of(*module).code(at - module->bias);
  for (Frame& frame : it->second) {
    frame.module = module->path;
    frame.offset = at - module->bias;
  }
  return it->second;
}

std::string_view Symboliser::module_path(std::uint64_t return_address) {
  const SymbolModule* module = state_->module_of(return_address > 0 ? return_address - 1 : return_address);
  return module == nullptr ? std::string_view() : module->path;
}

void Symboliser::use_labels(std::span<const LabelRecord> labels) {
  state_->labels.clear();
  for (const LabelRecord& label : labels) {
    state_->labels.push_back(
        {label.address, label.size, std::string(label.name, ::strnlen(label.name, sizeof label.name))});
  }
}

const DataName& Symboliser::data(std::uint64_t address, std::uint64_t size) {
  for (const State::Label& label : state_->labels) {
    if (address - label.address >= label.size) continue;
    DataName& name = state_->labelled[{address, label.name}];
    name.name = label.name;
    name.size = label.size;
    name.offset = name.rest = address - label.address;
    return name;
  }
  auto [it, is_new] = state_->names.try_emplace({address, size});
  if (!is_new) return it->second;
  const SymbolModule* module = state_->module_of(address);
  if (module != nullptr) it->second = state_->symbols_of(*module).data(address - module->bias, size);
  return it->second;
}

const DataName& Symboliser::thread_local_data(std::uint64_t distance, std::uint64_t size) {
  auto [it, is_new] = state_->thread_locals.try_emplace({distance, size});
  if (!is_new) return it->second;
  // Only the program's own block has a place that its file determines; the loader chooses those of libraries.
  const auto program = std::find_if(state_->modules.begin(), state_->modules.end(),
                                    [this](const SymbolModule& module) { return module.path == state_->program; });
  if (program != state_->modules.end()) it->second = state_->symbols_of(*program).thread_local_data(distance, size);
  return it->second;
}

const DataName& Symboliser::local_data(const StackFrame& frame, std::uint64_t address, std::uint64_t size) {
  auto [it, is_new] = state_->locals.try_emplace({frame, address, size});
  if (!is_new || frame.pc == 0) return it->second;
  const SymbolModule* module = state_->module_of(frame.pc - 1);
  if (module == nullptr) return it->second;
  StackFrame linked = frame;
  linked.pc -= module->bias;
  it->second = state_->symbols_of(*module).local_data(linked, address, size);
  return it->second;
}

bool Symboliser::is_signal_return(std::uint64_t address) {
  const SymbolModule* module = state_->module_of(address);
  return module != nullptr && state_->symbols_of(*module).is_signal_return(address - module->bias);
}

const SymbolModule* Symboliser::module_of(std::uint64_t address) const { return state_->module_of(address); }
const std::vector<SymbolModule>& Symboliser::modules() const { return state_->modules; }

}  // namespace ravel
