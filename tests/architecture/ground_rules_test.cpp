// SPDX-License-Identifier: Apache-2.0
// The ground rules of code inside the target, checked on what the compiler made of it. The program under test may be in
// any state when our code runs, so that code may not depend on constructors, libstdc++ or the functions we interpose.
#include <elf.h>
#include <gtest/gtest.h>

#include <set>

#include "elf/elf_file.h"
#include "tests/architecture/source_tree.h"

namespace ravel::testing {
namespace {

std::vector<std::filesystem::path> runtime_objects() {
  std::vector<std::filesystem::path> objects;
  for (const std::string& line : read_lines(build_root() / "runtime_objects.txt")) {
    if (!line.empty()) objects.emplace_back(line);
  }
  return objects;
}

const ElfFile& runtime_library() {
  static const ElfFile library((build_root() / "lib" / "libravel.so").string());
  return library;
}

// Bytes in sections of this kind: .init_array and .init_array.<priority> together.
std::size_t section_bytes(const ElfFile& file, const std::string& prefix) {
  std::size_t bytes = 0;
  for (const ElfSection& section : file.sections()) {
    if (section.type == SHT_RELA) continue;
    if (section.name == prefix || section.name.starts_with(prefix + ".")) bytes += section.size;
  }
  return bytes;
}

std::set<std::string> undefined_symbols(const std::filesystem::path& object) {
  const ElfFile file(object.string());
  std::set<std::string> names;
  for (const ElfSymbol& symbol : file.symbols(SHT_SYMTAB)) {
    if (!symbol.defined) names.emplace(symbol.name);
  }
  return names;
}

std::set<std::string> exported_symbols() {
  std::set<std::string> names;
  for (const ElfSymbol& symbol : runtime_library().symbols(SHT_DYNSYM)) {
    if (symbol.defined && symbol.binding != STB_LOCAL) names.emplace(symbol.name);
  }
  return names;
}

TEST(GroundRules, ObjectsOfTheRuntimeAreListed) {
  ASSERT_GE(runtime_objects().size(), 10U);
  for (const auto& path : runtime_objects()) EXPECT_TRUE(ElfFile(path.string()).is_elf()) << path;
}

TEST(GroundRules, OnlyStartUpHasAConstructor) {
  for (const auto& path : runtime_objects()) {
    const ElfFile object(path.string());
    const std::size_t pointers =
        (section_bytes(object, ".init_array") + section_bytes(object, ".ctors")) / sizeof(void*);
    const std::size_t allowed = path.string().ends_with("runtime/abi/startup.cpp.o") ? 1 : 0;
    EXPECT_LE(pointers, allowed) << path << ": a global object here has a constructor; make it constinit";
    EXPECT_EQ(section_bytes(object, ".fini_array"), 0U) << path << ": a global object here has a destructor";
  }
}

TEST(GroundRules, NeedsNothingButLibc) {
  ASSERT_TRUE(runtime_library().is_elf());
  for (const std::string& needed : runtime_library().dynamic_strings(DT_NEEDED)) {
    EXPECT_TRUE(needed == "libc.so.6" || needed == "ld-linux-x86-64.so.2") << "libravel.so needs " << needed;
  }
  for (const ElfSymbol& symbol : runtime_library().symbols(SHT_DYNSYM)) {
    const std::string_view name = symbol.name;
    if (symbol.defined) continue;
    const bool from_libstdcxx = name.starts_with("_ZSt") || name.starts_with("_ZNSt") || name.starts_with("_ZNKSt") ||
                                name.starts_with("__cxa_throw") || name == "_Znwm" || name == "_ZdlPv";
    EXPECT_FALSE(from_libstdcxx) << "libravel.so imports " << name;
  }
}

TEST(GroundRules, StandsInForLibtsanByName) {
  EXPECT_EQ(runtime_library().dynamic_strings(DT_SONAME), std::vector<std::string>{"libtsan.so.2"});
  EXPECT_TRUE(std::filesystem::equivalent(build_root() / "lib" / "libtsan.so.2", build_root() / "lib" / "libravel.so"));
  const ElfFile clang((build_root() / "lib" / "libclang_rt.tsan-x86_64.so").string());
  EXPECT_EQ(clang.dynamic_strings(DT_NEEDED), std::vector<std::string>{"libtsan.so.2"});
}

TEST(GroundRules, ExportsTheAbiAndNothingOfOurs) {
  for (const std::string& name : exported_symbols()) {
    EXPECT_EQ(name.find("5ravel"), std::string::npos) << "libravel.so exports " << name;
  }
}

// A call to a function we export would re-enter the runtime; runtime/interpose/real_symbols has the real ones.
TEST(GroundRules, NeverCallsAFunctionItInterposes) {
  const std::set<std::string> exported = exported_symbols();
  for (const auto& path : runtime_objects()) {
    for (const std::string& name : undefined_symbols(path)) {
      EXPECT_FALSE(exported.contains(name)) << path << " calls " << name << ", which the runtime interposes";
    }
  }
}

TEST(GroundRules, NeverAllocatesFromTheProgramsHeap) {
  const std::set<std::string> heap = {"malloc", "calloc", "realloc", "free", "strdup", "_Znwm", "_Znam", "_ZdlPv"};
  for (const auto& path : runtime_objects()) {
    for (const std::string& name : undefined_symbols(path)) {
      EXPECT_FALSE(heap.contains(name)) << path << " uses " << name;
    }
  }
}

}  // namespace
}  // namespace ravel::testing
