// SPDX-License-Identifier: Apache-2.0
#include "driver/process/run_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "driver/process/file_descriptor.h"
#include "driver/process/output_capture.h"

namespace ravel {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLookEvery = 50;  // milliseconds: how often the time is checked

FileDescriptor nowhere() { return FileDescriptor(::open("/dev/null", O_RDWR | O_CLOEXEC)); }

// A file in memory replaces a pipe: nobody has to write while we read. Invalid when there is no memory.
FileDescriptor file_with(std::string_view text) {
  FileDescriptor file(::memfd_create("ravel-input", MFD_CLOEXEC));
  while (file.valid() && !text.empty()) {
    const ssize_t written = ::write(file.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return FileDescriptor();
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (file.valid()) ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

}  // namespace

Result<RunEnd> run_process(ProcessOrder order, const RunSettings& settings) {
  const FileDescriptor input = settings.input.empty() ? nowhere() : file_with(settings.input);
  const FileDescriptor dropped = nowhere();
  int ends[2];
  if (!input.valid() || !dropped.valid() || ::pipe2(ends, O_CLOEXEC) != 0) return cannot_start(order, errno);
  const FileDescriptor reader(ends[0]);
  FileDescriptor writer(ends[1]);
  ::fcntl(reader.get(), F_SETFL, O_NONBLOCK);
  order.descriptors.push_back({input.get(), STDIN_FILENO});
  order.descriptors.push_back({writer.get(), STDOUT_FILENO});
  order.descriptors.push_back({settings.errors ? writer.get() : dropped.get(), STDERR_FILENO});
  auto started = Process::start(order);
  if (!started.is_ok()) return started.status();
  Process& process = started.value();
  writer.reset();

  RunEnd end;
  OutputCapture output(settings.output_head);
  const auto begin = Clock::now();
  bool output_closed = false;
  while (!process.has_ended()) {
    end.cut = settings.deadline.has_come();
    end.timed_out = !end.cut && settings.timeout && Clock::now() - begin >= *settings.timeout;
    if (end.cut || end.timed_out) break;
    pollfd waiting[2] = {{process.ended_fd(), POLLIN, 0}, {output_closed ? -1 : reader.get(), POLLIN, 0}};
    ::poll(waiting, 2, kLookEvery);
    output.drain(reader.get());
    // Polling it again would return at once, forever.
    output_closed = output_closed || (waiting[1].revents & (POLLIN | POLLHUP)) == POLLHUP;
  }
  process.kill();
  output.drain(reader.get());
  end.wait_status = process.wait_status();
  end.output = output.text();
  return end;
}

Result<RunEnd> run_process(std::vector<std::string> words, std::string_view input, const Deadline& deadline) {
  RunSettings settings;
  settings.input = input;
  settings.deadline = deadline;
  return run_process(ProcessOrder(std::move(words)), settings);
}

}  // namespace ravel
