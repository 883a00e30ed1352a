// SPDX-License-Identifier: Apache-2.0
#include "reports/module_symbols.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "elf/debug_file.h"
#include "elf/elf_file.h"
#include "reports/address_ranges.h"
#include "reports/frame_locations.h"
#include "reports/member_path.h"

namespace ravel {
namespace fs = std::filesystem;
namespace {

bool is_descended_into(int tag) {
  switch (tag) {
    case DW_TAG_subprogram:
    case DW_TAG_lexical_block:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_namespace:
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
    case DW_TAG_module:
      return true;
    default:
      return false;
  }
}

// Calls `visit(low, high)` for each range of `die`. Ranges at 0 belong to code the linker discarded.
template <typename Visit>
void for_each_range(Dwarf_Die* die, Visit visit) {
  Dwarf_Addr base = 0;
  Dwarf_Addr low = 0;
  Dwarf_Addr high = 0;
  std::ptrdiff_t position = 0;
  while ((position = dwarf_ranges(die, position, &base, &low, &high)) > 0) {
    if (low != 0) visit(low, high);
  }
}

std::uint32_t number(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr(die, name, &attribute), &value) != 0) return 0;
  return static_cast<std::uint32_t>(value);
}

std::string linkage_name(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  for (const unsigned name : {unsigned{DW_AT_linkage_name}, unsigned{DW_AT_MIPS_linkage_name}}) {
    const char* text = dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
    if (text != nullptr) return text;
  }
  return {};
}

// Function names as people write them: no clone suffixes, and clang's unnamed lambdas spelled like g++'s.
std::string tidy(std::string name) {
  if (const std::size_t clone = name.find(" [clone "); clone != std::string::npos) name.resize(clone);
  for (std::size_t at = 0; (at = name.find("$_", at)) != std::string::npos;) {
    std::size_t end = at + 2;
    while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end])) != 0) ++end;
    if (end == at + 2) {
      at = end;
      continue;
    }
    const std::string lambda = "{lambda#" + std::to_string(std::stoul(name.substr(at + 2, end - at - 2)) + 1) + "}";
    name.replace(at, end - at, lambda);
    at += lambda.size();
  }
  return name;
}

// Where the name of a DIE is declared: through the instance to its origin and declaration.
Dwarf_Die declaration_of(Dwarf_Die die) {
  for (int hops = 0; hops < 16; ++hops) {
    Dwarf_Attribute attribute;
    Dwarf_Die next;
    if (dwarf_formref_die(dwarf_attr(&die, DW_AT_abstract_origin, &attribute), &next) == nullptr &&
        dwarf_formref_die(dwarf_attr(&die, DW_AT_specification, &attribute), &next) == nullptr) {
      break;
    }
    die = next;
  }
  return die;
}

// Collects in `chain` the inlined calls below `die` that hold `address`, outermost first.
void inlined_calls(Dwarf_Die* die, std::uint64_t address, std::vector<Dwarf_Die>& chain) {
  Dwarf_Die child;
  if (dwarf_child(die, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block && tag != DW_TAG_try_block &&
        tag != DW_TAG_catch_block) {
      continue;
    }
    const bool has_range = dwarf_hasattr(&child, DW_AT_low_pc) != 0 || dwarf_hasattr(&child, DW_AT_ranges) != 0;
    if (has_range && dwarf_haspc(&child, address) <= 0) continue;
    const std::size_t before = chain.size();
    if (tag == DW_TAG_inlined_subroutine) {
      if (!has_range) continue;
      chain.push_back(child);
    }
    Dwarf_Die below = child;
    inlined_calls(&below, address, chain);
    if (has_range || chain.size() > before) return;
  } while (dwarf_siblingof(&child, &child) == 0);
}

// A compilation unit; its functions and lines are read at the first query.
struct Unit {
  Dwarf_Die die{};   // the unit in the file: its ranges and lines
  Dwarf_Die root{};  // where its functions are: the same, or the unit of a .dwo file with split DWARF
  bool functions_read = false;
  AddressRanges<Dwarf_Die> functions;
  std::unordered_map<Dwarf_Off, std::string> scopes;  // of functions and types declared inside something: "bank::"
};

struct SourceLine {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

Frame make_frame(std::string function, const SourceLine& at, bool inlined) {
  Frame frame;
  frame.function = std::move(function);
  frame.file = at.file;
  frame.line = at.line;
  frame.column = at.column;
  frame.inlined = inlined;
  return frame;
}

// Where a variable of the debug information is.
struct VariablePlace {
  std::uint64_t address = 0;
  bool thread_local_offset = false;  // address counts from the start of the module's thread-local block
};

std::optional<VariablePlace> place_of_variable(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr(die, DW_AT_location, &attribute) == nullptr ||
      dwarf_getlocation(&attribute, &operations, &count) != 0 || count == 0) {
    return std::nullopt;
  }
  VariablePlace place;
  switch (operations[0].atom) {
    case DW_OP_addr:
    case DW_OP_const4u:
    case DW_OP_const8u:
      place.address = operations[0].number;
      break;
    case DW_OP_addrx:
    case DW_OP_GNU_addr_index:
    case DW_OP_constx:
    case DW_OP_GNU_const_index: {
      Dwarf_Attribute indexed;
      Dwarf_Word value = 0;  // libdw hands out an address as such, and a constant as a number
      if (dwarf_getlocation_attr(&attribute, &operations[0], &indexed) != 0) return std::nullopt;
      if (dwarf_formaddr(&indexed, &value) != 0 && dwarf_formudata(&indexed, &value) != 0) return std::nullopt;
      place.address = value;
      break;
    }
    default:
      return std::nullopt;
  }
  if (count == 1) return place;
  const bool is_thread_local =
      operations[1].atom == DW_OP_GNU_push_tls_address || operations[1].atom == DW_OP_form_tls_address;
  if (count != 2 || !is_thread_local) return std::nullopt;
  place.thread_local_offset = true;
  return place;
}

struct Variable {
  Unit* unit = nullptr;
  Dwarf_Die die{};
};

struct Symbol {
  std::string name;
  std::uint64_t low = 0;
  std::uint64_t size = 0;
};

// "count.0" is how compilers name a static variable of a C function: the user wrote "count".
std::string without_numbered_suffix(std::string name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == name.size()) return name;
  const bool digits = std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dot) + 1, name.end(),
                                  [](unsigned char c) { return std::isdigit(c) != 0; });
  return digits ? name.substr(0, dot) : name;
}

}  // namespace

std::string demangle(const std::string& name) {
  if (name.rfind("_Z", 0) != 0) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && text ? std::string(text.get()) : name;
}

struct ModuleSymbols::State {
  State(std::string path_, fs::path directory_) : path(std::move(path_)), directory(std::move(directory_)) {}
  ~State() {
    if (dwarf != nullptr) dwarf_end(dwarf);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::string path;
  fs::path directory;
  ElfFile file;
  ElfFile debug_file;  // separate debug information, when there is any
  Dwarf* dwarf = nullptr;
  bool opened = false;
  bool symbols_read = false;

  std::vector<std::unique_ptr<Unit>> units;
  AddressRanges<Unit*> unit_ranges;
  std::vector<Unit*> units_without_ranges;
  AddressRanges<Symbol> functions;
  AddressRanges<Symbol> objects;
  AddressRanges<Symbol> thread_locals;                    // by offset in the thread-local block
  std::size_t units_with_variables = 0;                   // so many units, from the first, have their variables below
  std::unordered_map<std::uint64_t, Variable> variables;  // by address
  std::unordered_map<std::uint64_t, Variable> tls_variables;  // by offset in the thread-local block
  std::unordered_map<std::string, std::string> shown_paths;

  void open() {
    if (std::exchange(opened, true)) return;
    file = ElfFile(path);
    if (!file.is_elf()) return;
    if (!read_units(file)) {
      const std::string separate = separate_debug_file(file, path);
      if (separate.empty()) return;
      debug_file = ElfFile(separate);
      if (debug_file.is_elf()) read_units(debug_file);
    }
  }

  // False when the file has no debug information.
  bool read_units(const ElfFile& from) {
    dwarf = dwarf_begin_elf(from.get(), DWARF_C_READ, nullptr);
    if (dwarf == nullptr) return false;
    Dwarf_CU* cu = nullptr;
    Dwarf_Die die;
    std::uint8_t type = 0;
    while (dwarf_get_units(dwarf, cu, &cu, nullptr, &type, &die, nullptr) == 0) {
      if (dwarf_tag(&die) != DW_TAG_compile_unit && dwarf_tag(&die) != DW_TAG_skeleton_unit) continue;
      units.push_back(std::make_unique<Unit>());
      Unit* unit = units.back().get();
      unit->die = die;
      bool any = false;
      for_each_range(&die, [&](std::uint64_t low, std::uint64_t high) {
        any = true;
        unit_ranges.add(low, high, unit);
      });
      if (!any) units_without_ranges.push_back(unit);
    }
    unit_ranges.finish();
    if (!units.empty()) return true;
    dwarf_end(dwarf);
    dwarf = nullptr;
    return false;
  }

  static void read_functions(Unit& unit) {
    if (std::exchange(unit.functions_read, true)) return;
    unit.root = unit.die;
    Dwarf_Die split;
    if (dwarf_cu_info(unit.die.cu, nullptr, nullptr, nullptr, &split, nullptr, nullptr, nullptr) == 0 &&
        split.addr != nullptr) {
      unit.root = split;
    }
    Dwarf_Die root = unit.root;
    collect_functions(&root, unit, "");
    unit.functions.finish();
  }

  static void collect_functions(Dwarf_Die* parent, Unit& unit, const std::string& scope) {
    Dwarf_Die child;
    if (dwarf_child(parent, &child) != 0) return;
    do {
      const int tag = dwarf_tag(&child);
      if (!scope.empty() && (tag == DW_TAG_enumeration_type || is_descended_into(tag))) {
        unit.scopes.emplace(dwarf_dieoffset(&child), scope);
      }
      if (!is_descended_into(tag)) continue;
      if (tag == DW_TAG_subprogram) {
        for_each_range(&child, [&](std::uint64_t low, std::uint64_t high) { unit.functions.add(low, high, child); });
      }
      Dwarf_Die below = child;
      if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) {
        collect_functions(&below, unit, scope);
      } else {
        const char* name = dwarf_diename(&child);
        const char* unnamed = tag == DW_TAG_namespace ? "(anonymous namespace)" : "{unnamed}";
        collect_functions(&below, unit, scope + (name != nullptr ? name : unnamed) + "::");
      }
    } while (dwarf_siblingof(&child, &child) == 0);
  }

  static std::string scoped_name(Unit& unit, Dwarf_Die die) {
    die = declaration_of(die);
    const char* name = dwarf_diename(&die);
    if (name == nullptr) return "{unnamed}";
    const auto scope = unit.scopes.find(dwarf_dieoffset(&die));
    return scope == unit.scopes.end() ? std::string(name) : scope->second + name;
  }

  // "[4][8]" of an array type.
  static std::string dimensions(Dwarf_Die* array) {
    std::string text;
    Dwarf_Die child;
    if (dwarf_child(array, &child) != 0) return "[]";
    do {
      if (dwarf_tag(&child) != DW_TAG_subrange_type) continue;
      std::uint64_t count = number(&child, DW_AT_count);
      if (count == 0 && dwarf_hasattr(&child, DW_AT_upper_bound) != 0) {
        count = std::uint64_t{number(&child, DW_AT_upper_bound)} + 1;
      }
      text += count == 0 ? "[]" : "[" + std::to_string(count) + "]";
    } while (dwarf_siblingof(&child, &child) == 0);
    return text;
  }

  // The type `die` refers to, spelled as the demangler does.
  static std::string type_name(Unit& unit, Dwarf_Die* die, int depth = 0) {
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    if (depth > 16) return "...";
    if (dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), &type) == nullptr) return "void";
    switch (dwarf_tag(&type)) {
      case DW_TAG_pointer_type:
        return type_name(unit, &type, depth + 1) + "*";
      case DW_TAG_reference_type:
        return type_name(unit, &type, depth + 1) + "&";
      case DW_TAG_rvalue_reference_type:
        return type_name(unit, &type, depth + 1) + "&&";
      case DW_TAG_const_type:
        return type_name(unit, &type, depth + 1) + " const";
      case DW_TAG_volatile_type:
        return type_name(unit, &type, depth + 1) + " volatile";
      case DW_TAG_restrict_type:
      case DW_TAG_atomic_type:
      case DW_TAG_typedef:
        return type_name(unit, &type, depth + 1);
      case DW_TAG_subroutine_type:
        return type_name(unit, &type, depth + 1) + " ()";
      case DW_TAG_array_type:
        return type_name(unit, &type, depth + 1) + dimensions(&type);
      default:
        return scoped_name(unit, type);
    }
  }

  // g++ writes no linkage name for functions that only their own file can call: spell them from their parts.
  static std::string spelled_name(Unit& unit, Dwarf_Die die) {
    std::string name = scoped_name(unit, die);
    die = declaration_of(die);
    std::string parameters;
    Dwarf_Die child;
    if (dwarf_child(&die, &child) == 0) {
      do {
        const int tag = dwarf_tag(&child);
        if (tag == DW_TAG_formal_parameter && dwarf_hasattr(&child, DW_AT_artificial) == 0) {
          parameters += (parameters.empty() ? "" : ", ") + type_name(unit, &child);
        } else if (tag == DW_TAG_unspecified_parameters) {
          parameters += parameters.empty() ? "..." : ", ...";
        }
      } while (dwarf_siblingof(&child, &child) == 0);
    }
    return name + "(" + parameters + ")";
  }

  // Unit after unit, as far as needed: nothing says which unit declares a variable, and most queries are about the
  // program's own few units.
  const Variable* variable_at(std::uint64_t address, bool thread_local_offset) {
    const auto& known = thread_local_offset ? tls_variables : variables;
    while (true) {
      if (const auto found = known.find(address); found != known.end()) return &found->second;
      if (units_with_variables == units.size()) return nullptr;
      Unit& unit = *units[units_with_variables++];
      read_functions(unit);
      Dwarf_Die root = unit.root;
      collect_variables(&root, unit);
    }
  }

  void collect_variables(Dwarf_Die* parent, Unit& unit) {
    Dwarf_Die child;
    if (dwarf_child(parent, &child) != 0) return;
    do {
      const int tag = dwarf_tag(&child);
      if (tag == DW_TAG_variable || tag == DW_TAG_member) {
        if (const auto place = place_of_variable(&child)) {
          (place->thread_local_offset ? tls_variables : variables).emplace(place->address, Variable{&unit, child});
        }
      } else if (is_descended_into(tag)) {
        Dwarf_Die below = child;
        collect_variables(&below, unit);
      }
    } while (dwarf_siblingof(&child, &child) == 0);
  }

  // What the debug information adds to what the symbol table says.
  void describe(DataName& name, const Symbol& symbol, std::uint64_t size, bool thread_local_offset) {
    const Variable* variable = variable_at(symbol.low, thread_local_offset);
    if (variable == nullptr && thread_local_offset) {
      // g++ with -gsplit-dwarf gives the address in the segment instead of the offset.
      const ElfSegment* const segment = file.segment(PT_TLS);
      if (segment != nullptr) variable = variable_at(segment->address + symbol.low, true);
    }
    if (variable != nullptr) describe(name, *variable->unit, variable->die, size);
  }

  void describe(DataName& name, Unit& unit, Dwarf_Die die, std::uint64_t size) {
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    if (dwarf_formref_die(dwarf_attr_integrate(&die, DW_AT_type, &attribute), &type) == nullptr) return;
    name.type = type_name(unit, &die);
    const MemberPath part = member_path(type, name.offset, size, [&unit](Dwarf_Die inner) {
      const std::string spelled = scoped_name(unit, inner);
      return spelled.starts_with("std::") || spelled.starts_with("__gnu_cxx::");
    });
    name.member = part.text;
    name.rest = part.rest;
    name.kind = part.kind;
    // A variable of a class or namespace may be declared and defined in different places: either will do.
    Dwarf_Die declared = dwarf_hasattr(&die, DW_AT_decl_line) != 0 ? die : declaration_of(die);
    name.line = number(&declared, DW_AT_decl_line);
    if (name.line != 0) name.file = file_name(unit, number(&declared, DW_AT_decl_file));
  }

  // How far below the thread pointer the program's thread-local block starts. 0: there is none.
  std::uint64_t thread_local_block() const {
    const ElfSegment* const segment = file.segment(PT_TLS);
    if (segment == nullptr) return 0;
    // As glibc lays it out: the block ends at the thread pointer and keeps its alignment.
    const std::uint64_t align = std::max<std::uint64_t>(segment->alignment, 1);
    const std::uint64_t misfit = segment->address % align;
    return (segment->memory_size + misfit + align - 1) / align * align - misfit;
  }

  const Dwarf_Die* function_at(std::uint64_t address, Unit*& unit) {
    if (Unit* const* found = unit_ranges.find(address); found != nullptr) {
      unit = *found;
      read_functions(*unit);
      return unit->functions.find(address);
    }
    for (Unit* candidate : units_without_ranges) {
      read_functions(*candidate);
      if (const Dwarf_Die* function = candidate->functions.find(address); function != nullptr) {
        unit = candidate;
        return function;
      }
    }
    unit = nullptr;
    return nullptr;
  }

  // The path as the user knows it. libdw has put the compilation directory before relative names.
  const std::string& shown_path(const char* raw) {
    if (raw == nullptr) raw = "";
    auto [it, is_new] = shown_paths.try_emplace(raw);
    if (is_new && *raw != '\0') {
      const fs::path full = fs::path(raw).lexically_normal();
      const fs::path relative = full.lexically_relative(directory);
      const bool below = full.is_absolute() && !relative.empty() && *relative.begin() != "..";
      it->second = below ? relative.string() : full.string();
    }
    return it->second;
  }

  SourceLine line_at(Unit& unit, std::uint64_t address) {
    SourceLine result;
    Dwarf_Lines* lines = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrclines(&unit.die, &lines, &count) != 0) return result;
    // The last row at or below the address.
    std::size_t low = 0;
    std::size_t high = count;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      Dwarf_Addr at = 0;
      dwarf_lineaddr(dwarf_onesrcline(lines, middle), &at);
      if (at <= address) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    // Line 0 means compiler-generated code: the row before it says what for.
    while (low > 0) {
      Dwarf_Line* row = dwarf_onesrcline(lines, --low);
      bool end = false;
      int line = 0;
      if (dwarf_lineendsequence(row, &end) != 0 || end) break;
      if (dwarf_lineno(row, &line) != 0 || line <= 0) continue;
      int column = 0;
      dwarf_linecol(row, &column);
      result.file = shown_path(dwarf_linesrc(row, nullptr, nullptr));
      result.line = static_cast<std::uint32_t>(line);
      result.column = static_cast<std::uint32_t>(column);
      break;
    }
    return result;
  }

  // The index-th file of the unit. Not dwarf_decl_file: it gives up on the units of split DWARF by assertion.
  std::string file_name(Unit& unit, std::uint32_t index) {
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrcfiles(&unit.root, &files, &count) != 0 || index >= count) return {};
    return shown_path(dwarf_filesrc(files, index, nullptr, nullptr));
  }

  // Where an inlined function was called from.
  SourceLine call_site(Unit& unit, Dwarf_Die* inlined) {
    SourceLine result;
    result.line = number(inlined, DW_AT_call_line);
    result.column = number(inlined, DW_AT_call_column);
    result.file = file_name(unit, number(inlined, DW_AT_call_file));
    return result;
  }

  // Of a function inlined somewhere.
  static std::string inlined_name(Unit& unit, Dwarf_Die* die) {
    const std::string mangled = linkage_name(die);
    if (!mangled.empty()) return tidy(demangle(mangled));
    if (dwarf_diename(die) == nullptr) return "??";
    return is_c(unit) ? std::string(dwarf_diename(die)) : spelled_name(unit, *die);
  }

  // Of a function with code of its own: the symbol table may know what the debug information leaves out.
  std::string function_name(Dwarf_Die* die, std::uint64_t address) {
    const std::string mangled = linkage_name(die);
    if (!mangled.empty()) return tidy(demangle(mangled));
    const char* name = dwarf_diename(die);
    const std::string symbol = symbol_name(address);
    if (name == nullptr || symbol.find(std::string(name) + "(") != std::string::npos) {
      return symbol.empty() ? "??" : symbol;
    }
    return name;
  }

  static bool is_c(Unit& unit) {
    switch (dwarf_srclang(&unit.root)) {
      case DW_LANG_C:
      case DW_LANG_C89:
      case DW_LANG_C99:
      case DW_LANG_C11:
      case DW_LANG_Mips_Assembler:
        return true;
      default:
        return false;
    }
  }

  void read_symbols() {
    if (std::exchange(symbols_read, true)) return;
    // A separate debug file has the full table that the stripped file lost.
    if (!read_table(debug_file, SHT_SYMTAB)) read_table(file, SHT_SYMTAB);
    read_table(file, SHT_DYNSYM);
    functions.finish();
    objects.finish();
    thread_locals.finish();
  }

  // False when there is no such table.
  bool read_table(const ElfFile& from, std::uint32_t table) {
    const std::vector<ElfSymbol> symbols = from.symbols(table);
    std::vector<ElfSymbol> code_symbols;
    std::vector<ElfSymbol> data_symbols;
    for (const ElfSymbol& symbol : symbols) {
      if (!symbol.defined || (symbol.value == 0 && symbol.type != STT_TLS)) continue;
      const bool in_code = symbol.section < from.sections().size() && from.sections()[symbol.section].executable;
      if (symbol.type == STT_FUNC || symbol.type == STT_GNU_IFUNC || (symbol.type == STT_NOTYPE && in_code)) {
        code_symbols.push_back(symbol);
      } else if (symbol.type == STT_OBJECT && symbol.size > 0) {
        data_symbols.push_back(symbol);
      } else if (symbol.type == STT_TLS && symbol.size > 0) {
        add_symbol(thread_locals, symbol, symbol.size);
      }
    }
    // Aliases share an address: prefer a typed, global name, then the shorter one, then alphabetical order, so that the
    // answer never depends on the order in the file.
    const auto rank = [](const ElfSymbol& symbol) {
      return std::tuple(symbol.value, symbol.type == STT_NOTYPE, symbol.binding != STB_GLOBAL, symbol.name.size(),
                        symbol.name);
    };
    const auto by_rank = [&](const ElfSymbol& a, const ElfSymbol& b) { return rank(a) < rank(b); };
    std::sort(code_symbols.begin(), code_symbols.end(), by_rank);
    std::sort(data_symbols.begin(), data_symbols.end(), by_rank);
    for (std::size_t i = 0; i < code_symbols.size(); ++i) {
      const ElfSymbol& symbol = code_symbols[i];
      std::uint64_t size = symbol.size;
      if (size == 0) {  // hand-written assembly: reaches to the next symbol
        std::size_t next = i + 1;
        while (next < code_symbols.size() && code_symbols[next].value == symbol.value) ++next;
        size = next < code_symbols.size() ? code_symbols[next].value - symbol.value : 16;
      }
      add_symbol(functions, symbol, size);
    }
    for (const ElfSymbol& symbol : data_symbols) add_symbol(objects, symbol, symbol.size);
    return !symbols.empty();
  }

  static void add_symbol(AddressRanges<Symbol>& ranges, const ElfSymbol& symbol, std::uint64_t size) {
    ranges.add(symbol.value, symbol.value + size, {std::string(symbol.name), symbol.value, size});
  }

  std::string symbol_name(std::uint64_t address) {
    read_symbols();
    const Symbol* symbol = functions.find(address);
    return symbol == nullptr ? std::string() : tidy(demangle(symbol->name));
  }
};

ModuleSymbols::ModuleSymbols(std::string path, fs::path directory)
    : state_(std::make_unique<State>(std::move(path), std::move(directory))) {}
ModuleSymbols::~ModuleSymbols() = default;

std::vector<Frame> ModuleSymbols::code(std::uint64_t address) {
  State& state = *state_;
  state.open();
  std::vector<Frame> frames;
  Unit* unit = nullptr;
  const Dwarf_Die* function = state.function_at(address, unit);
  if (function == nullptr) {
    const std::string name = state.symbol_name(address);
    frames.push_back(
        make_frame(name.empty() ? "??" : name, unit == nullptr ? SourceLine{} : state.line_at(*unit, address), false));
    return frames;
  }

  Dwarf_Die outer = *function;
  std::vector<Dwarf_Die> chain;
  inlined_calls(&outer, address, chain);
  SourceLine at = state.line_at(*unit, address);
  for (std::size_t i = chain.size(); i-- > 0;) {
    frames.push_back(make_frame(State::inlined_name(*unit, &chain[i]), at, true));
    at = state.call_site(*unit, &chain[i]);
  }
  frames.push_back(make_frame(state.function_name(&outer, address), at, false));
  return frames;
}

namespace {

DataName named(const Symbol& symbol, std::uint64_t address) {
  DataName name;
  name.name = demangle(without_numbered_suffix(symbol.name));
  name.offset = address - symbol.low;
  name.rest = name.offset;
  name.size = symbol.size;
  return name;
}

}  // namespace

DataName ModuleSymbols::data(std::uint64_t address, std::uint64_t size) {
  State& state = *state_;
  state.open();
  state.read_symbols();
  const Symbol* symbol = state.objects.find(address);
  if (symbol == nullptr) return {};
  DataName name = named(*symbol, address);
  state.describe(name, *symbol, size, false);
  return name;
}

DataName ModuleSymbols::thread_local_data(std::uint64_t distance, std::uint64_t size) {
  State& state = *state_;
  state.open();
  state.read_symbols();
  const std::uint64_t block = state.thread_local_block();
  if (distance == 0 || distance > block) return {};
  const Symbol* symbol = state.thread_locals.find(block - distance);
  if (symbol == nullptr) return {};
  DataName name = named(*symbol, block - distance);
  state.describe(name, *symbol, size, true);
  return name;
}

DataName ModuleSymbols::local_data(const StackFrame& frame, std::uint64_t address, std::uint64_t size) {
  State& state = *state_;
  state.open();
  Unit* unit = nullptr;
  const Dwarf_Die* function = state.function_at(frame.pc - 1, unit);
  if (function == nullptr) return {};
  Dwarf_Die outer = *function;
  std::optional<LocalVariable> found = local_at(outer, std::nullopt, FrameLocations(frame, outer), frame.pc, address);
  if (!found) return {};
  DataName name;
  name.name = dwarf_diename(&found->die);
  name.offset = address - found->start;
  name.rest = name.offset;
  name.size = found->size;
  state.describe(name, *unit, found->die, size);
  name.function =
      found->inlined ? State::inlined_name(*unit, &*found->inlined) : state.function_name(&outer, frame.pc - 1);
  return name;
}

bool ModuleSymbols::is_signal_return(std::uint64_t address) {
  // mov $15, %rax; syscall (x86-64). Debuggers recognise the signal frame by the same bytes: it has no symbol.
  constexpr std::array<unsigned char, 9> kSignalReturn = {0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05};
  State& state = *state_;
  state.open();
  const FileBytes bytes = state.file.loaded_bytes(address, kSignalReturn.size());
  return std::equal(bytes.begin(), bytes.end(), kSignalReturn.begin(), kSignalReturn.end());
}

}  // namespace ravel
