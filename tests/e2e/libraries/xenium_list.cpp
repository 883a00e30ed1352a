// SPDX-License-Identifier: Apache-2.0
// xenium's Harris-Michael list, whose nodes are unlinked and reclaimed while other tasks walk over them, under hazard
// pointers and under three kinds of epochs.
#include "variants.h"

#include <cassert>
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

template <typename Reclaimer>
static void churn() {
  xenium::harris_michael_list_based_set<int, xenium::policy::reclaimer<Reclaimer>> set;
  set.emplace(2);
  set.emplace(4);
  auto odd = [&] {
    bool added = set.emplace(3);
    bool removed = set.erase(3);
    assert(added && removed);
  };
  auto even = [&] {
    bool removed = set.erase(2);
    bool added = set.emplace(2);
    assert(removed && added);
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
  one.join();
  two.join();
  assert(set.contains(2) && !set.contains(3));
}

int main(int count, char** arguments) {
  return run_variant(
      count, arguments,
      {{"hazard", churn<Hazard>}, {"epoch", churn<Epoch>}, {"new_epoch", churn<NewEpoch>}, {"debra", churn<Debra>}});
}
