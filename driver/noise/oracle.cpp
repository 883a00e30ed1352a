// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/oracle.h"

#include <sys/wait.h>

#include <fmt/format.h>

#include "driver/process/output_capture.h"
#include "driver/process/run_process.h"
#include "driver/target/execution_record.h"

namespace ravel {

Result<Verdict> ask_oracle(const std::string& command, std::string_view output, int wait_status,
                           std::chrono::nanoseconds timeout, const Deadline& deadline) {
  ProcessOrder order({"sh", "-c", command});
  order.file = "/bin/sh";
  order.environment = {fmt::format("RAVEL_EXIT_CODE={}", exit_code(wait_status))};
  order.own_group = true;  // so that it can be killed with everything it started
  order.name = "the oracle";
  order.advice = "check the limits of this shell or container (ulimit -a)";
  RunSettings settings;
  settings.input = output;
  settings.errors = true;
  settings.output_head = OutputCapture::kHeadBytes;
  settings.timeout = timeout;
  settings.deadline = deadline;
  auto ran = run_process(order, settings);
  if (!ran.is_ok()) return ran.status();
  const RunEnd& end = ran.value();
  Verdict verdict;
  verdict.said = end.output;
  if (end.timed_out || end.cut) {
    verdict.message = fmt::format("the oracle did not end within {}: {}", duration_text(timeout), command);
  } else if (WIFSIGNALED(end.wait_status)) {
    verdict.message = fmt::format("the oracle was killed by {}: {}", signal_text(WTERMSIG(end.wait_status)), command);
  } else if (WEXITSTATUS(end.wait_status) != 0) {
    verdict.message = fmt::format("the oracle ended with exit code {}: {}", WEXITSTATUS(end.wait_status), command);
  }
  verdict.passed = verdict.message.empty();
  return verdict;
}

}  // namespace ravel
