// SPDX-License-Identifier: Apache-2.0
// The libraries of a program, on small ones built here: which are instrumented, which are called, which are missing.
#include "driver/target/program_libraries.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace ravel {
namespace {

namespace fs = std::filesystem;

class ProgramLibrariesTest : public testing::Test {
 protected:
  ProgramLibrariesTest() {
    std::string pattern = (fs::temp_directory_path() / "ravel-libraries-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~ProgramLibrariesTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  void run(const std::string& command) const {
    ASSERT_EQ(std::system(("cd '" + folder_.string() + "' && " + command).c_str()), 0) << command;
  }
  std::vector<ProgramLibrary> list() const {
    const auto listed = list_libraries((folder_ / "prog").string());
    EXPECT_TRUE(listed.is_ok()) << listed.status().what();
    return listed.is_ok() ? listed.value() : std::vector<ProgramLibrary>();
  }
  static const ProgramLibrary* find(const std::vector<ProgramLibrary>& libraries, const std::string& name) {
    const auto found = std::find_if(libraries.begin(), libraries.end(),
                                    [&](const ProgramLibrary& library) { return library.name == name; });
    return found == libraries.end() ? nullptr : &*found;
  }

  // A program that calls libplain directly and libdeep only through it; libseen is instrumented.
  void build() const {
    write("deep.cpp", "int deep() { return 1; }\n");
    write("plain.cpp", "int deep(); int plain(int n) { return n + deep(); } int unused() { return 2; }\n");
    write("seen.cpp", "int value; int seen() { return ++value; }\n");
    write("main.cpp", "int plain(int); int seen(); int main() { return plain(1) + seen() - 3; }\n");
    run("g++ -shared -fPIC deep.cpp -o libdeep.so");
    run("g++ -shared -fPIC plain.cpp -L. -ldeep -Wl,-rpath,'$ORIGIN' -o libplain.so");
    run("g++ -shared -fPIC -fsanitize=thread seen.cpp -o libseen.so");
    run("g++ -fsanitize=thread main.cpp -L. -lplain -lseen -Wl,-rpath,'$ORIGIN' -o prog");
  }

  fs::path folder_;
};

TEST_F(ProgramLibrariesTest, TellsWhatIsInstrumentedAndWhatIsCalled) {
  build();
  const std::vector<ProgramLibrary> libraries = list();
  const ProgramLibrary* const plain = find(libraries, "libplain.so");
  ASSERT_NE(plain, nullptr);
  EXPECT_FALSE(plain->instrumented);
  EXPECT_FALSE(plain->runtime);
  EXPECT_EQ(plain->called, std::vector<std::string>{"plain(int)"});
  const ProgramLibrary* const seen = find(libraries, "libseen.so");
  ASSERT_NE(seen, nullptr);
  EXPECT_TRUE(seen->instrumented);
  const ProgramLibrary* const deep = find(libraries, "libdeep.so");
  ASSERT_NE(deep, nullptr) << "libraries of libraries count";
  EXPECT_FALSE(deep->instrumented);
  EXPECT_TRUE(deep->called.empty());
  const ProgramLibrary* const c = find(libraries, "libc.so.6");
  ASSERT_NE(c, nullptr);
  EXPECT_TRUE(c->runtime);
}

TEST_F(ProgramLibrariesTest, AMissingLibraryIsListedWithoutAPath) {
  build();
  fs::remove(folder_ / "libdeep.so");
  const std::vector<ProgramLibrary> libraries = list();
  const ProgramLibrary* const deep = find(libraries, "libdeep.so");
  ASSERT_NE(deep, nullptr);
  EXPECT_EQ(deep->path, "");
}

TEST_F(ProgramLibrariesTest, AFileThatIsNoProgramIsTrouble) {
  write("prog", "no program\n");
  EXPECT_FALSE(list_libraries((folder_ / "prog").string()).is_ok());
  EXPECT_FALSE(list_libraries((folder_ / "missing").string()).is_ok());
}

}  // namespace
}  // namespace ravel
