// SPDX-License-Identifier: Apache-2.0
// On programs and libraries made here, and on damaged copies of this very program.
#include "elf/elf_file.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "elf/debug_file.h"

// Looked up by name below.
extern "C" {
__attribute__((used, noinline)) int ravel_test_function(int value) {
  asm volatile("");
  return value + 1;
}
int ravel_test_object[3] = {1, 2, 3};
thread_local int ravel_test_thread_local = 7;
}

namespace ravel {
namespace {

namespace fs = std::filesystem;

class ElfFileTest : public ::testing::Test {
 protected:
  ElfFileTest() : folder_(fs::path(::testing::TempDir()) / ("ravel-elf-" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~ElfFileTest() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string file(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return path(name);
  }

  // Compiles one source into the file of this name.
  std::string built(const std::string& name, const std::string& source, const std::string& flags) const {
    file("source.c", source);
    const std::string command = "cc " + flags + " -o " + path(name) + " " + path("source.c") + " 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return path(name);
  }

  fs::path folder_;
};

std::string self_bytes() {
  std::ifstream self("/proc/self/exe", std::ios::binary);
  return {std::istreambuf_iterator<char>(self), {}};
}

const ElfSymbol* find(const std::vector<ElfSymbol>& symbols, std::string_view name) {
  const auto found = std::find_if(symbols.begin(), symbols.end(), [&](const auto& one) { return one.name == name; });
  return found == symbols.end() ? nullptr : &*found;
}

TEST_F(ElfFileTest, AProgramHasAHeaderALoaderAndLibraries) {
  const ElfFile self("/proc/self/exe");
  ASSERT_TRUE(self.is_elf());
  EXPECT_EQ(self.machine(), EM_X86_64);
  EXPECT_TRUE(self.type() == ET_DYN || self.type() == ET_EXEC);
  EXPECT_FALSE(self.is_32_bit());
  EXPECT_EQ(self.interpreter(), "/lib64/ld-linux-x86-64.so.2");
  const auto needed = self.dynamic_strings(DT_NEEDED);
  EXPECT_NE(std::find(needed.begin(), needed.end(), "libc.so.6"), needed.end());
  EXPECT_TRUE(self.dynamic_strings(DT_SONAME).empty());
}

TEST_F(ElfFileTest, ALibraryHasANameAndNoLoader) {
  const ElfFile library(built("libx.so", "int x(void) { return 1; }\n", "-shared -fPIC -Wl,-soname,libx.so.3"));
  ASSERT_TRUE(library.is_elf());
  EXPECT_EQ(library.interpreter(), "");
  EXPECT_EQ(library.dynamic_strings(DT_SONAME), std::vector<std::string>{"libx.so.3"});
}

TEST_F(ElfFileTest, AnObjectHasSymbolsThatItWants) {
  const ElfFile object(built("x.o", "int y(void);\nint x(void) { return y(); }\n", "-c"));
  EXPECT_EQ(object.type(), ET_REL);
  const auto symbols = object.symbols(SHT_SYMTAB);
  const ElfSymbol* const wanted = find(symbols, "y");
  const ElfSymbol* const defined = find(symbols, "x");
  ASSERT_NE(wanted, nullptr);
  ASSERT_NE(defined, nullptr);
  EXPECT_FALSE(wanted->defined);
  EXPECT_TRUE(defined->defined);
  EXPECT_EQ(object.sections().at(defined->section).name, ".text");
  EXPECT_TRUE(object.symbols(SHT_DYNSYM).empty());
}

TEST_F(ElfFileTest, SymbolsHaveTypesSizesAndSections) {
  const ElfFile self("/proc/self/exe");
  const auto symbols = self.symbols(SHT_SYMTAB);
  const ElfSymbol* const function = find(symbols, "ravel_test_function");
  const ElfSymbol* const object = find(symbols, "ravel_test_object");
  const ElfSymbol* const thread_local_object = find(symbols, "ravel_test_thread_local");
  ASSERT_TRUE(function != nullptr && object != nullptr && thread_local_object != nullptr);
  EXPECT_EQ(function->type, STT_FUNC);
  EXPECT_EQ(function->binding, STB_GLOBAL);
  EXPECT_TRUE(self.sections().at(function->section).executable);
  EXPECT_EQ(object->type, STT_OBJECT);
  EXPECT_EQ(object->size, sizeof ravel_test_object);
  EXPECT_FALSE(self.sections().at(object->section).executable);
  EXPECT_EQ(thread_local_object->type, STT_TLS);
  EXPECT_EQ(ravel_test_function(ravel_test_thread_local), 8);
}

TEST_F(ElfFileTest, BytesAreThoseThatGetLoaded) {
  const ElfFile self("/proc/self/exe");
  const auto symbols = self.symbols(SHT_SYMTAB);
  const ElfSymbol* const object = find(symbols, "ravel_test_object");
  ASSERT_NE(object, nullptr);
  const FileBytes bytes = self.loaded_bytes(object->value, object->size);
  ASSERT_EQ(bytes.size(), sizeof ravel_test_object);
  EXPECT_EQ(bytes[0], 1);
  EXPECT_EQ(bytes[4], 2);
  EXPECT_TRUE(self.loaded_bytes(~std::uint64_t{0}, 1).empty());
  EXPECT_TRUE(self.loaded_bytes(object->value, std::uint64_t{1} << 60).empty());
}

TEST_F(ElfFileTest, SectionsAndSegmentsAreListed) {
  const ElfFile self("/proc/self/exe");
  EXPECT_TRUE(self.has_section(".text"));
  EXPECT_FALSE(self.has_section(".no_such"));
  EXPECT_EQ(self.sections().at(0).type, static_cast<std::uint32_t>(SHT_NULL));
  for (const ElfSection& section : self.sections()) {
    if (section.name == ".text") {
      EXPECT_TRUE(section.executable);
      EXPECT_EQ(section.bytes.size(), section.size);
    }
    if (section.name == ".bss") {
      EXPECT_TRUE(section.bytes.empty());
    }
  }
  ASSERT_NE(self.segment(PT_TLS), nullptr);
  EXPECT_GE(self.segment(PT_TLS)->memory_size, sizeof ravel_test_thread_local);
  EXPECT_EQ(self.segment(PT_SHLIB), nullptr);
}

TEST_F(ElfFileTest, RelocationsNameWhatTheLoaderPutsThere) {
  const ElfFile program(built("calls", "#include <stdlib.h>\nint main(void) { abort(); }\n", "-O0"));
  const auto relocations = program.relocations();
  EXPECT_TRUE(std::any_of(relocations.begin(), relocations.end(), [](const ElfRelocation& one) {
    return one.symbol == "abort" && (one.type == R_X86_64_JUMP_SLOT || one.type == R_X86_64_GLOB_DAT);
  }));
}

TEST_F(ElfFileTest, TheBuildIdIsHexadecimal) {
  const std::string source = "int main(void) { return 0; }\n";
  EXPECT_EQ(build_id_of(built("with", source, "-Wl,--build-id=0x00ff12ab")), "00ff12ab");
  EXPECT_EQ(build_id_of(built("without", source, "-Wl,--build-id=none")), "");
}

TEST_F(ElfFileTest, OtherFilesAreEmpty) {
  for (const std::string& other : {std::string("/no/such/file"), std::string("/"), file("script", "#!/bin/sh\n"),
                                   file("empty", ""), file("magic", "\177ELF")}) {
    const ElfFile none(other);
    EXPECT_EQ(none.machine(), EM_NONE) << other;
    EXPECT_TRUE(none.sections().empty());
    EXPECT_TRUE(none.segments().empty());
    EXPECT_TRUE(none.symbols(SHT_SYMTAB).empty());
    EXPECT_TRUE(none.relocations().empty());
    EXPECT_TRUE(none.dynamic_strings(DT_NEEDED).empty());
    EXPECT_EQ(none.interpreter(), "");
    EXPECT_EQ(none.build_id(), "");
    EXPECT_TRUE(none.loaded_bytes(0, 1).empty());
  }
}

TEST_F(ElfFileTest, DamagedFilesNeverCrash) {
  const std::string whole = self_bytes();
  std::uint32_t random = 1;
  for (int attempt = 0; attempt < 200; ++attempt) {
    std::string bytes = whole.substr(0, attempt % 2 == 0 ? whole.size() : whole.size() / 200 * attempt);
    // The headers are what everything is found by: in the first bytes, and the sections' at the end.
    for (int change = 0; change < 8; ++change) {
      random = random * 1664525 + 1013904223;
      const std::size_t reach = std::min<std::size_t>(bytes.size(), 2000);
      if (reach == 0) continue;
      const std::size_t at = (random >> 8) % reach;
      bytes[change % 2 == 0 ? at : bytes.size() - 1 - at] = static_cast<char>(random);
    }
    const ElfFile damaged(file("damaged", bytes));
    for (const std::uint32_t table : {SHT_SYMTAB, SHT_DYNSYM}) {
      for (const ElfSymbol& symbol : damaged.symbols(table)) EXPECT_FALSE(symbol.name.empty());
    }
    for (const ElfSection& section : damaged.sections()) EXPECT_LE(section.bytes.size(), bytes.size());
    damaged.relocations();
    damaged.dynamic_strings(DT_NEEDED);
    damaged.interpreter();
    damaged.build_id();
  }
}

TEST_F(ElfFileTest, MovesWithEverythingInIt) {
  ElfFile first("/proc/self/exe");
  const std::string id = first.build_id();
  ElfFile second;
  EXPECT_FALSE(second.is_elf());
  second = std::move(first);
  EXPECT_TRUE(second.is_elf());
  EXPECT_TRUE(second.has_section(".text"));
  EXPECT_EQ(second.build_id(), id);
}

TEST_F(ElfFileTest, SeparateDebugInformationIsFoundByItsLink) {
  const std::string program = built("split", "int main(void) { return 0; }\n", "-g -Wl,--build-id=none");
  EXPECT_EQ(separate_debug_file(ElfFile(program), program), "");
  const std::string split = "cd " + folder_.string() +
                            " && objcopy --only-keep-debug split split.debug && strip split"
                            " && objcopy --add-gnu-debuglink=split.debug split";
  ASSERT_EQ(std::system(split.c_str()), 0);
  EXPECT_EQ(separate_debug_file(ElfFile(program), program), fs::canonical(path("split.debug")).string());
  // Not that of another build: the checksum tells.
  std::ofstream(path("split.debug"), std::ios::app) << "changed";
  EXPECT_EQ(separate_debug_file(ElfFile(program), program), "");
}

}  // namespace
}  // namespace ravel
