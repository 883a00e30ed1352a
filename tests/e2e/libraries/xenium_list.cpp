// SPDX-License-Identifier: Apache-2.0
// xenium's Harris-Michael list, whose nodes are unlinked and reclaimed while other tasks walk over them, under hazard
// pointers and under three kinds of epochs.
#include "variants.h"

#include <cassert>
#include <latch>
#include <thread>
#include <xenium/harris_michael_list_based_set.hpp>
#include <xenium/reclamation/generic_epoch_based.hpp>
#include <xenium/reclamation/hazard_pointer.hpp>

// Small thresholds, so that nodes are reclaimed within the few steps of the program.
using Hazard = xenium::reclamation::hazard_pointer<>::with<
    xenium::policy::allocation_strategy<xenium::reclamation::hp_allocation::static_strategy<3, 0, 1>>>;
using Epoch = xenium::reclamation::epoch_based<>::with<xenium::policy::scan_frequency<1>>;
using NewEpoch = xenium::reclamation::new_epoch_based<>::with<xenium::policy::scan_frequency<1>>;
using Debra = xenium::reclamation::debra<>::with<xenium::policy::scan_frequency<1>>;

// When a task ends, its thread_local state goes, and what it retired is left to others.
enum class Ending { together, early };

template <typename Reclaimer, Ending kEnding = Ending::together>
static void churn() {
  std::latch done(3);
  auto leave = [&] {
    if (kEnding == Ending::together) done.arrive_and_wait();
  };
  xenium::harris_michael_list_based_set<int, xenium::policy::reclaimer<Reclaimer>> set;
  set.emplace(2);
  set.emplace(4);
  auto odd = [&] {
    bool added = set.emplace(3);
    bool removed = set.erase(3);
    assert(added && removed);
    leave();
  };
  auto even = [&] {
    bool removed = set.erase(2);
    bool added = set.emplace(2);
    assert(removed && added);
    leave();
  };
  std::thread one(odd);
  std::thread two(even);
  bool contained = set.contains(4);
  assert(contained);
  int last = 0;
  for (int key : set) {
    assert(key >=
           last);  // equal where a key was removed and added again meanwhile: the iterator then looks for it anew
    last = key;
  }
  assert(last == 4);
  leave();
  one.join();
  two.join();
  assert(set.contains(2) && !set.contains(3));
}

// A defect of xenium 0.0.2, in generic_epoch_based: a node is freed while another task holds a guard_ptr to it, which
// the library promises never to do. Every order of operations that leads there is one of sequential consistency too, so
// it is found with --memory-model sc as well.
//
// Retired nodes wait in one of three lists, by epoch % 3. update_global_epoch(e, e + 1) first makes e + 1 the epoch (7)
// and then, in reclaim_orphans(e + 1), frees the orphans of list (e + 1) % 3, meant to be those of epoch e - 2:
//
//   A   compare_exchange_strong(global_epoch, e, e + 1), release                     (7)
//   B   load(global_epoch), acquire -> e + 1                                         (5)
//   C   guards node n, in epoch e or e + 1, and reads it
//   B   unlinks n, retires it to retire_lists[(e + 1) % 3], and ends: ~thread_data moves it to orphans[(e + 1) % 3]
//   A   exchange(orphans[(e + 1) % 3].head, nullptr), acquire: gets n, retired in this very epoch, and frees it
//   C   still holds its guard_ptr: it reads freed memory
//
// Where C has left its critical region before A frees n, it is a data race ([intro.races]/21): A knows of C's past only
// what its own scan read, and that came before (7) and before C's read. What C stores when it leaves
// (is_in_critical_region, release) nobody has read since; B's release of the orphans (orphan_list, 1) tells A of B's
// past, in which C's read is not. Taking the list before (7) repairs it. A task that does not end before the others are
// done leaves no orphans to be freed early: the variants without "leaving".
int main(int count, char** arguments) {
  return run_variant(count, arguments,
                     {{"hazard", churn<Hazard>},
                      {"hazard_leaving", churn<Hazard, Ending::early>},
                      {"epoch", churn<Epoch>},
                      {"epoch_leaving", churn<Epoch, Ending::early>},
                      {"new_epoch", churn<NewEpoch>},
                      {"new_epoch_leaving", churn<NewEpoch, Ending::early>},
                      {"debra", churn<Debra>},
                      {"debra_leaving", churn<Debra, Ending::early>}});
}
