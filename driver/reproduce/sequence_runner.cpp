// SPDX-License-Identifier: Apache-2.0
#include "driver/reproduce/sequence_runner.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace ravel {
namespace {

bool make_pipe(FileDescriptor& reader, FileDescriptor& writer) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  reader = FileDescriptor(ends[0]);
  writer = FileDescriptor(ends[1]);
  return true;
}

}  // namespace

Result<std::unique_ptr<SequenceRunner>> SequenceRunner::start(const std::string& harness, const std::string& recorder,
                                                              const std::string& directory, const Deadline& deadline) {
  std::unique_ptr<SequenceRunner> runner(new SequenceRunner);
  runner->deadline_ = deadline;
  runner->memory_ = FileDescriptor(::memfd_create("ravel-calls", MFD_CLOEXEC));
  FileDescriptor their_requests;
  FileDescriptor their_answers;
  int requests[2] = {-1, -1};  // a socket: writing to a harness that is gone is an error, not a signal
  ProcessOrder order({harness, "serve"});
  if (!runner->memory_.valid() || ::ftruncate(runner->memory_.get(), sizeof(CallTrace)) != 0 ||
      ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, requests) != 0 ||
      !make_pipe(runner->answers_, their_answers)) {
    return cannot_start(order, errno);
  }
  runner->requests_ = FileDescriptor(requests[0]);
  their_requests = FileDescriptor(requests[1]);
  void* const memory = ::mmap(nullptr, sizeof(CallTrace), PROT_READ | PROT_WRITE, MAP_SHARED, runner->memory_.get(), 0);
  if (memory == MAP_FAILED) return cannot_start(order, errno);
  runner->trace_ = static_cast<CallTrace*>(memory);
  order.environment = {"LD_PRELOAD=" + recorder, "LD_BIND_NOW=1"};
  order.directory = directory;
  order.descriptors = {{their_requests.get(), STDIN_FILENO},
                       {runner->memory_.get(), kCallTraceDescriptor},
                       {their_answers.get(), kCallAnswerDescriptor}};
  order.addresses = AddressLayout::fixed_if_allowed;
  order.own_group = true;
  order.dies_with_thread = true;
  order.core_files = false;
  order.default_signals = true;
  order.name = "the harness";
  auto process = Process::start(order);
  if (!process.is_ok()) return process.status();
  runner->process_ = std::move(process.value());
  return runner;
}

SequenceRunner::~SequenceRunner() {
  if (trace_ != nullptr) ::munmap(trace_, sizeof(CallTrace));
}

bool SequenceRunner::ask(const std::string& line) {
  if (lost_ || deadline_.has_come()) return false;
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t count = ::send(requests_.get(), line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    sent += static_cast<std::size_t>(count);
  }
  for (;;) {
    pollfd waiting{answers_.get(), POLLIN, 0};
    const int ready = ::poll(&waiting, 1, 100);
    if (ready == 0 && deadline_.has_come()) break;
    if (ready <= 0) continue;
    char answer = 0;
    if (::read(answers_.get(), &answer, 1) == 1) return true;
    break;
  }
  lost_ = true;  // what it does now, nobody waits for
  return false;
}

const CallRecord& SequenceRunner::run(const Sequence& sequence) {
  if (const auto known = known_.find(sequence); known != known_.end()) return known->second;
  static const CallRecord kNothing;
  if (!ask(sequence_text(sequence) + "\n")) return kNothing;
  ++performed_;
  return known_.emplace(sequence, record_of(*trace_, sequence.size())).first->second;
}

}  // namespace ravel
