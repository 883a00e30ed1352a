// SPDX-License-Identifier: Apache-2.0
// PS-Exception: the failure must need both threads. A call that fails alone, waits for another thread or starts one has
// no behaviour alone that could be compared.
#include "driver/reproduce/prunings.h"

namespace ravel {

bool fails_alone(const CallRecord& crashing, const CallRecord& interfering) {
  return !crashing.returned() || !interfering.returned();
}

}  // namespace ravel
