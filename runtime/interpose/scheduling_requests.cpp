// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/scheduling_requests.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/interpose/processors.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/scheduler/scheduler.h"

namespace ravel {
namespace {

constexpr int kLeastNice = 19;
constexpr int kNicest = -20;

}  // namespace

int set_policy(Task& task, int policy, const sched_param* parameters) {
  policy &= ~SCHED_RESET_ON_FORK;
  const int saved_errno = errno;
  const int low = sched_get_priority_min(policy);
  const int high = sched_get_priority_max(policy);
  errno = saved_errno;
  if (parameters == nullptr || low < 0 || parameters->sched_priority < low || parameters->sched_priority > high) {
    return EINVAL;
  }
  SchedulingRequests& asked = task.primitive.asked;
  asked.has_policy = true;
  asked.policy = policy;
  asked.priority = parameters->sched_priority;
  return 0;
}

int policy_of(const Task& task, sched_param* parameters) {
  const SchedulingRequests& asked = task.primitive.asked;
  if (parameters != nullptr) parameters->sched_priority = asked.priority;
  return asked.has_policy ? asked.policy : SCHED_OTHER;
}

int set_niceness(Task& task, int niceness) {
  const int wanted = niceness < kNicest ? kNicest : niceness > kLeastNice ? kLeastNice : niceness;
  if (wanted < niceness_of(task) && geteuid() != 0) return EACCES;
  task.primitive.asked.has_niceness = true;
  task.primitive.asked.niceness = wanted;
  return 0;
}

int niceness_of(const Task& task) {
  return task.primitive.asked.has_niceness ? task.primitive.asked.niceness : real().getpriority(PRIO_PROCESS, 0);
}

int set_processors(Task& task, std::size_t size, const cpu_set_t* set) {
  cpu_set_t allowed;
  cpu_set_t wanted;
  CPU_ZERO(&allowed);
  CPU_ZERO(&wanted);
  const int saved_errno = errno;
  const int result = allowed_processors(sizeof allowed, &allowed);
  errno = saved_errno;
  if (result != 0) return EINVAL;
  __builtin_memcpy(&wanted, set, size < sizeof wanted ? size : sizeof wanted);
  CPU_AND(&wanted, &wanted, &allowed);
  if (CPU_COUNT(&wanted) == 0) return EINVAL;
  task.primitive.asked.has_processors = true;
  task.primitive.asked.processors = wanted;
  return 0;
}

int processors_of(const Task& task, std::size_t size, cpu_set_t* set) {
  const SchedulingRequests& asked = task.primitive.asked;
  const int saved_errno = errno;
  const int error = allowed_processors(size, set) == 0 ? 0 : errno;
  errno = saved_errno;
  if (error == 0 && asked.has_processors) {
    __builtin_memcpy(set, &asked.processors, size < sizeof asked.processors ? size : sizeof asked.processors);
  }
  return error;
}

int current_processor() {
  cpu_set_t set;
  if (processors_of(scheduler().current(), sizeof set, &set) != 0) return 0;
  unsigned number = 0;
  while (number < CPU_SETSIZE - 1 && !CPU_ISSET(number, &set)) ++number;
  return static_cast<int>(number);
}

}  // namespace ravel
