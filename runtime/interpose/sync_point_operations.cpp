// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/sync_point_operations.h"

#include <stdlib.h>

#include "base/check.h"
#include "runtime/foreign_sync/events.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/memory/raw_pages.h"
#include "runtime/noise/free_world.h"

namespace ravel {
namespace {

// The race test that runs, as the environment says at start-up. Afterwards only the events change.
struct RunningTest {
  const char* name = nullptr;  // nullptr: none
  // In pages of their own: reports would name parts of a variable of ours after it.
  ravel_events* events = nullptr;
  std::int64_t time_limit = RAVEL_SYNC_TIMEOUT_MS;
};
constinit RunningTest g_test;

// What a waiting task waits for: lives on its stack.
struct EventWait {
  ravel_event* event;
  const ravel_sync_site* site;
};

bool is_notified(const void* object, const Task&) {
  return ravel_was_notified(static_cast<const EventWait*>(object)->event) != 0;
}

// Does the site act for the caller?
bool is_chosen_task(const ravel_sync_site& site) {
  if (site.task == 0) return true;
  if (under_engine()) return site.task == scheduler().current().id;
  if (free_running() && t_free_self.id != kNoTask) return site.task == t_free_self.id;
  if (ravel_kernel(SYS_gettid, 0, 0, 0) != ravel_kernel(SYS_getpid, 0, 0, 0)) ravel_end_unknown_task(&site);
  return false;
}

// The event that the site acts on, or null when it does not act on this arrival.
ravel_event* acts_on(ravel_sync_site& site, CallSite pc) {
  if (!race_test_runs(site.test) || !is_chosen_task(site)) return nullptr;
  // Arriving is a step: the schedule decides the order of arrivals.
  if (site.arrival != 0 && under_engine()) {
    reach_point(operation_on(OperationKind::sync_arrival, &site.arrivals, pc));
  }
  if (ravel_arrives(&site) == 0) return nullptr;
  ravel_event* const event = ravel_find_event(g_test.events, site.event);
  if (event == nullptr) ravel_end_too_many_events(&site);
  return event;
}

}  // namespace

void read_running_race_test() {
  g_test.name = getenv("RAVEL_RACE_TEST");
  g_test.time_limit = ravel_time_limit(getenv("RAVEL_SYNC_TIMEOUT_MS"));
  if (g_test.name == nullptr) return;
  g_test.events = static_cast<ravel_events*>(reserve_pages(sizeof(ravel_events)));
  RAVEL_CHECK(g_test.events != nullptr, "no address space for the events of the race test");
}

bool race_test_runs(const char* test) { return g_test.name != nullptr && ravel_same_text(g_test.name, test) != 0; }

void sync_point_wait(ravel_sync_site* site, CallSite pc) {
  ravel_event* const event = acts_on(*site, pc);
  if (event == nullptr) return;
  if (!under_engine()) {
    ravel_wait_for_event(event, site, g_test.time_limit);
    return;
  }
  const EventWait wait{event, site};
  reach_point(operation_on(OperationKind::sync_wait, event, pc),
              Wait{address_of(event), &is_notified, &wait, kNever, false, nullptr});
}

void sync_point_notify(ravel_sync_site* site, CallSite pc) {
  ravel_event* const event = acts_on(*site, pc);
  if (event == nullptr) return;
  if (under_engine()) reach_point(operation_on(OperationKind::sync_notify, event, pc));
  ravel_set_notified(event);
  if (under_engine()) scheduler().changed(address_of(event));
}

void tell_sync_wait(const void* object, char* message, std::size_t capacity) {
  ravel_sentence sentence;
  sentence.length = 0;
  if (message[0] != '\0') ravel_say(&sentence, "; ");
  ravel_say_wait(&sentence, static_cast<const EventWait*>(object)->site);
  std::size_t length = 0;
  while (message[length] != '\0') ++length;
  for (std::size_t i = 0; i < sentence.length && length + 1 < capacity; ++i) message[length++] = sentence.text[i];
  message[length] = '\0';
}

}  // namespace ravel
