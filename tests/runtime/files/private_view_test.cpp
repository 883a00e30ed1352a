// SPDX-License-Identifier: Apache-2.0
// Each test is a process of its own with children, as a fork server and its executions are.
#include "runtime/files/private_view.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "runtime/files/moving.h"

namespace ravel::testing {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

// Runs the body in a child, in which a failed expectation shows on its output.
void in_child(const std::function<void()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    ::_exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// The same on a machine that allows views. On another one the view must say what is in the way, and that changes are
// real.
void in_view(const std::function<void()>& body) {
  in_child([&body] {
    if (private_view().enter() == 0) return body();
    EXPECT_NE(private_view().trouble(), 0);
    EXPECT_EQ(private_view().name_changes(AT_FDCWD, "file"), Change::real);
  });
}

class PrivateViewTest : public ::testing::Test {
 protected:
  PrivateViewTest() {
    char pattern[] = "private-view-XXXXXX";
    home_ = fs::absolute(::mkdtemp(pattern));
    write(home_ / "file", "old");
  }
  ~PrivateViewTest() override { fs::remove_all(home_); }

  fs::path home_;
};

TEST_F(PrivateViewTest, OnlyTheProcessSeesWhatItChanges) {
  in_view([this] {
    EXPECT_EQ(private_view().file_changes(AT_FDCWD, (home_ / "file").c_str()), Change::apart);
    EXPECT_EQ(private_view().name_changes(AT_FDCWD, (home_ / "other").c_str()), Change::apart);
    write(home_ / "file", "new");
    write(home_ / "other", "text");
    EXPECT_EQ(text_of(home_ / "file"), "new");
  });
  EXPECT_EQ(text_of(home_ / "file"), "old");
  EXPECT_FALSE(fs::exists(home_ / "other"));
}

TEST_F(PrivateViewTest, RelativeNamesAndTheCurrentDirectoryStay) {
  in_view([this] {
    fs::current_path(home_);
    EXPECT_EQ(private_view().name_changes(AT_FDCWD, "other"), Change::apart);
    write("other", "text");
    EXPECT_EQ(fs::current_path(), home_);
    EXPECT_EQ(text_of(home_ / "other"), "text");
  });
  EXPECT_FALSE(fs::exists(home_ / "other"));
}

TEST_F(PrivateViewTest, DevicesAndTheSystemNeedNone) {
  in_view([] {
    EXPECT_EQ(private_view().file_changes(AT_FDCWD, "/dev/null"), Change::harmless);
    EXPECT_EQ(private_view().file_changes(AT_FDCWD, "/proc/self/oom_score_adj"), Change::harmless);
    EXPECT_EQ(private_view().name_changes(AT_FDCWD, "/no/such/directory/file"), Change::harmless);
    EXPECT_FALSE(private_view().any());
  });
}

TEST_F(PrivateViewTest, TheDirectoryLooksAsItDid) {
  ::chmod(home_.c_str(), 01757);
  struct stat before {};
  ::stat(home_.c_str(), &before);
  in_view([&] {
    private_view().name_changes(AT_FDCWD, (home_ / "other").c_str());
    struct stat after {};
    ::stat(home_.c_str(), &after);
    EXPECT_EQ(after.st_mode, before.st_mode);
    EXPECT_EQ(after.st_uid, before.st_uid);
  });
}

TEST_F(PrivateViewTest, WhatIsOpenThereIsOpenedAgain) {
  in_view([this] {
    const int reader = ::open((home_ / "file").c_str(), O_RDONLY);
    const int copy = ::dup(reader);
    char letter = 0;
    EXPECT_EQ(::read(reader, &letter, 1), 1);
    private_view().file_changes(AT_FDCWD, (home_ / "file").c_str());
    write(home_ / "file", "new");
    EXPECT_EQ(::read(copy, &letter, 1), 1);
    EXPECT_EQ(letter, 'e');
    EXPECT_EQ(::lseek(reader, 0, SEEK_CUR), 2);
    const int directory = ::open(home_.c_str(), O_RDONLY | O_DIRECTORY);
    EXPECT_EQ(::faccessat(directory, "file", R_OK, 0), 0);
  });
}

TEST_F(PrivateViewTest, ARemovedFileStaysWhatItIs) {
  in_view([this] {
    const int removed = ::open((home_ / "removed").c_str(), O_RDWR | O_CREAT, 0600);
    ::unlink((home_ / "removed").c_str());
    EXPECT_EQ(::write(removed, "text", 4), 4);
    EXPECT_EQ(private_view().file_changes(removed), Change::harmless);
    private_view().name_changes(AT_FDCWD, (home_ / "removed").c_str());
    write(home_ / "removed", "another");
    struct stat info {};
    EXPECT_EQ(::fstat(removed, &info), 0);
    EXPECT_EQ(info.st_size, 4);
  });
}

TEST_F(PrivateViewTest, ExecutionsShareWhatWasThereAtTheForkPointAlone) {
  in_view([this] {
    private_view().name_changes(AT_FDCWD, (home_ / "made").c_str());
    write(home_ / "made", "before");
    fs::remove(home_ / "file");
    const int log = ::open((home_ / "log").c_str(), O_RDWR | O_CREAT | O_APPEND, 0600);
    EXPECT_EQ(::write(log, "begin", 5), 5);
    void* const memory = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, log, 0);
    private_view().seal();
    static OpenFiles files;
    files.remember();
    EXPECT_EQ(text_of(home_ / "made"), "before");  // of one that changes nothing
    EXPECT_FALSE(fs::exists(home_ / "file"));
    for (int execution = 0; execution < 3; ++execution) {
      in_child([&] {
        private_view().after_fork();
        files.for_each_own([](int descriptor) { private_view().file_changes(descriptor); });
        EXPECT_EQ(text_of(home_ / "log"), "begin");
        EXPECT_EQ(::write(log, " end", 4), 4);
        EXPECT_EQ(text_of(home_ / "log"), "begin end");
        static_cast<char*>(memory)[0] = 'B';
        EXPECT_EQ(text_of(home_ / "log"), "Begin end");
        EXPECT_FALSE(fs::exists(home_ / "file"));
        EXPECT_EQ(private_view().file_changes(AT_FDCWD, (home_ / "made").c_str()), Change::apart);
        EXPECT_EQ(text_of(home_ / "made"), "before");
        fs::remove(home_ / "made");
        fs::create_directory(home_ / "made");
        write(home_ / "file", "new");
      });
    }
  });
  EXPECT_EQ(text_of(home_ / "file"), "old");
  EXPECT_FALSE(fs::exists(home_ / "made"));
}

TEST_F(PrivateViewTest, ThereMayBeSeveralLayers) {
  const fs::path shared = fs::path("/dev/shm") / home_.filename();  // a mount of its own
  in_view([&] {
    EXPECT_EQ(private_view().name_changes(AT_FDCWD, shared.c_str()), Change::apart);
    EXPECT_EQ(private_view().name_changes(AT_FDCWD, (home_ / "one").c_str()), Change::apart);
    write(home_ / "one", "text");
    write(shared, "text");
    EXPECT_EQ(text_of(home_ / "one"), "text");
    EXPECT_EQ(text_of(shared), "text");
  });
  EXPECT_FALSE(fs::exists(home_ / "one"));
  EXPECT_FALSE(fs::exists(shared));
}

TEST_F(PrivateViewTest, WhatTheLayersKeepFromBeingRenamedIsMoved) {
  fs::create_directories(home_ / "from" / "deep");
  write(home_ / "from" / "deep" / "file", "text");
  fs::create_symlink("deep/file", home_ / "from" / "link");
  const std::string from = home_ / "from";
  const std::string to = home_ / "to";
  in_view([&] {
    private_view().name_changes(AT_FDCWD, from.c_str());
    EXPECT_TRUE(private_view().on_one_disk(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str()));
    EXPECT_FALSE(private_view().on_one_disk(AT_FDCWD, from.c_str(), AT_FDCWD, "/dev/shm/x"));
    write(home_ / "from" / "new", "made");
    EXPECT_EQ(move_by_copying(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str()), 0);
    EXPECT_FALSE(fs::exists(from));
    EXPECT_EQ(text_of(home_ / "to" / "link"), "text");
    EXPECT_EQ(text_of(home_ / "to" / "new"), "made");
    EXPECT_EQ(move_by_copying(AT_FDCWD, to.c_str(), AT_FDCWD, (home_ / "file").c_str()), ENOTDIR);
  });
  EXPECT_EQ(text_of(home_ / "from" / "deep" / "file"), "text");
}

TEST_F(PrivateViewTest, ASocketOfSomebodyElseIsReachedPastTheLayers) {
  const auto address_of = [](const std::string& path) {
    sockaddr_un address{AF_UNIX, {}};
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    return address;
  };
  const auto connects = [&](const std::string& path) {
    const sockaddr_un address = address_of(path);
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    const bool connected = ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(socket);
    return connected;
  };
  fs::current_path(home_);
  const sockaddr_un address = address_of("socket");
  const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(listener, 4), 0);
  in_view([&] {
    EXPECT_TRUE(connects("socket"));
    private_view().name_changes(AT_FDCWD, "other");
    EXPECT_FALSE(connects("socket"));
    char past[108];
    EXPECT_GT(private_view().name_on_disk("socket", past, sizeof past), 0U);
    EXPECT_TRUE(connects(past));
  });
  ::close(listener);
  fs::current_path(home_.parent_path());
}

TEST_F(PrivateViewTest, LocksAreKept) {
  in_view([this] {
    const int file = ::open((home_ / "file").c_str(), O_RDWR);
    EXPECT_EQ(::flock(file, LOCK_EX), 0);
    private_view().file_changes(file);
    const int other = ::open((home_ / "file").c_str(), O_RDWR);
    EXPECT_NE(::flock(other, LOCK_EX | LOCK_NB), 0);
    ::close(file);
    EXPECT_EQ(::flock(other, LOCK_EX | LOCK_NB), 0);
  });
}

}  // namespace
}  // namespace ravel::testing
