// SPDX-License-Identifier: Apache-2.0
#include "driver/target/standard_input.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace ravel {
namespace {

constexpr std::size_t kMaxSpooledBytes = std::size_t{1} << 30;

bool write_all(int fd, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(fd, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

Result<StandardInput> StandardInput::take(int fd, std::chrono::milliseconds patience) {
  StandardInput input;
  struct stat status {};
  if (::fstat(fd, &status) != 0 || ::isatty(fd) != 0 || S_ISCHR(status.st_mode)) return input;
  if (S_ISREG(status.st_mode)) {
    input.source_ = FileDescriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
    const off_t offset = ::lseek(fd, 0, SEEK_CUR);
    input.offset_ = offset > 0 ? static_cast<long>(offset) : 0;
    return input;
  }
  if (!S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode)) return input;

  FileDescriptor spool(::memfd_create("ravel-stdin", MFD_CLOEXEC));
  if (!spool.valid()) {
    return Status::trouble(std::string("cannot keep the standard input in memory: ") + std::strerror(errno),
                           "give the input as a file: ravel run -- PROGRAM < FILE");
  }
  std::vector<char> buffer(1 << 16);
  std::size_t total = 0;
  for (;;) {
    pollfd waiting{fd, POLLIN, 0};
    const auto limit = total == 0 ? patience : patience * 20;
    const int ready = ::poll(&waiting, 1, static_cast<int>(limit.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) {
      input.warning_ = total == 0 ? "standard input is a pipe that nothing writes to; the program gets empty input"
                                  : "standard input did not end; the program gets what has arrived so far";
      break;
    }
    const ssize_t size = ::read(fd, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    total += static_cast<std::size_t>(size);
    if (total > kMaxSpooledBytes || !write_all(spool.get(), buffer.data(), static_cast<std::size_t>(size))) {
      return Status::trouble("the standard input is larger than what can be kept in memory for every execution",
                             "give the input as a file: ravel run -- PROGRAM < FILE");
    }
  }
  if (total > 0) input.source_ = std::move(spool);
  return input;
}

FileDescriptor StandardInput::open() const {
  if (source_.valid()) {
    // Through /proc: dup() would share the offset with every other target.
    const std::string path = "/proc/self/fd/" + std::to_string(source_.get());
    FileDescriptor copy(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (copy.valid()) {
      ::lseek(copy.get(), offset_, SEEK_SET);
      return copy;
    }
  }
  return FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

}  // namespace ravel
