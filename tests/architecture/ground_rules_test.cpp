// SPDX-License-Identifier: Apache-2.0
// The ground rules of code inside the target, checked on what the compiler made of it. The program under test may be in
// any state when our code runs, so that code may not depend on constructors, libstdc++ or the functions we interpose.
#include <gtest/gtest.h>

#include "tests/architecture/elf_file.h"

namespace ravel::testing {
namespace {

std::vector<std::filesystem::path> runtime_objects() {
  std::vector<std::filesystem::path> objects;
  for (const std::string& line : read_lines(build_root() / "runtime_objects.txt")) {
    if (!line.empty()) objects.emplace_back(line);
  }
  return objects;
}

std::filesystem::path runtime_library() { return build_root() / "lib" / "libravel.so"; }

TEST(GroundRules, ObjectsOfTheRuntimeAreListed) {
  ASSERT_GE(runtime_objects().size(), 10U);
  for (const auto& path : runtime_objects()) EXPECT_TRUE(ElfFile(path).valid()) << path;
}

TEST(GroundRules, OnlyStartUpHasAConstructor) {
  for (const auto& path : runtime_objects()) {
    const ElfFile object(path);
    const std::size_t pointers = (object.section_bytes(".init_array") + object.section_bytes(".ctors")) / sizeof(void*);
    const std::size_t allowed = path.string().ends_with("runtime/abi/startup.cpp.o") ? 1 : 0;
    EXPECT_LE(pointers, allowed) << path << ": a global object here has a constructor; make it constinit";
    EXPECT_EQ(object.section_bytes(".fini_array"), 0U) << path << ": a global object here has a destructor";
  }
}

TEST(GroundRules, NeedsNothingButLibc) {
  const ElfFile library(runtime_library());
  ASSERT_TRUE(library.valid());
  for (const std::string& needed : library.dynamic_strings(DT_NEEDED)) {
    EXPECT_TRUE(needed == "libc.so.6" || needed == "ld-linux-x86-64.so.2") << "libravel.so needs " << needed;
  }
  for (const std::string& name : library.imported_symbols()) {
    const bool from_libstdcxx = name.starts_with("_ZSt") || name.starts_with("_ZNSt") || name.starts_with("_ZNKSt") ||
                                name.starts_with("__cxa_throw") || name == "_Znwm" || name == "_ZdlPv";
    EXPECT_FALSE(from_libstdcxx) << "libravel.so imports " << name;
  }
}

TEST(GroundRules, StandsInForLibtsanByName) {
  EXPECT_EQ(ElfFile(runtime_library()).dynamic_strings(DT_SONAME), std::vector<std::string>{"libtsan.so.2"});
  EXPECT_TRUE(std::filesystem::equivalent(build_root() / "lib" / "libtsan.so.2", runtime_library()));
  const ElfFile clang(build_root() / "lib" / "libclang_rt.tsan-x86_64.so");
  EXPECT_EQ(clang.dynamic_strings(DT_NEEDED), std::vector<std::string>{"libtsan.so.2"});
}

TEST(GroundRules, ExportsTheAbiAndNothingOfOurs) {
  for (const std::string& name : ElfFile(runtime_library()).exported_symbols()) {
    EXPECT_EQ(name.find("5ravel"), std::string::npos) << "libravel.so exports " << name;
  }
}

// A call to a function we export would re-enter the runtime; runtime/interpose/real_symbols has the real ones.
TEST(GroundRules, NeverCallsAFunctionItInterposes) {
  const std::set<std::string> exported = ElfFile(runtime_library()).exported_symbols();
  for (const auto& path : runtime_objects()) {
    for (const std::string& name : ElfFile(path).undefined_symbols()) {
      EXPECT_FALSE(exported.contains(name)) << path << " calls " << name << ", which the runtime interposes";
    }
  }
}

TEST(GroundRules, NeverAllocatesFromTheProgramsHeap) {
  const std::set<std::string> heap = {"malloc", "calloc", "realloc", "free", "strdup", "_Znwm", "_Znam", "_ZdlPv"};
  for (const auto& path : runtime_objects()) {
    for (const std::string& name : ElfFile(path).undefined_symbols()) {
      EXPECT_FALSE(heap.contains(name)) << path << " uses " << name;
    }
  }
}

}  // namespace
}  // namespace ravel::testing
