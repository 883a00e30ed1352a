// SPDX-License-Identifier: Apache-2.0
// CauseKind: what it is about the two operations of a cause that decides between failing and passing.
#pragma once

#include <cstdint>

namespace ravel {

enum class CauseKind : std::uint8_t {
  order,            // which of the two came first
  unheard,          // first: a notification that found nobody waiting; second: the wait that needed it
  woke_another,     // first: a notification; second: the next wait of the task it woke, which could not use it
  wrong_condition,  // first: a wait; second: the notification of another condition variable that was to end it
  timed_out,        // first: a wait whose time was up; second: the notification for which it was too early
  spurious_wakeup,  // first: a wait; second: where it ended, although nobody had notified the task
  circle,           // each of the two waits for what the task of the other has taken
  weak_failure,     // one of the two is a compare-exchange that failed without a reason
};

}  // namespace ravel
