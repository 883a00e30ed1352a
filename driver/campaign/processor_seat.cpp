// SPDX-License-Identifier: Apache-2.0
#include "driver/campaign/processor_seat.h"

namespace ravel {

const cpu_set_t& ProcessorSeat::all() {
  // Asked for the first time before any seat is taken: afterwards the answer would be that one seat.
  static const cpu_set_t at_start = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    ::sched_getaffinity(0, sizeof set, &set);
    return set;
  }();
  return at_start;
}

ProcessorSeat::ProcessorSeat(unsigned index, unsigned jobs) {
  const cpu_set_t& allowed = all();
  if (static_cast<unsigned>(CPU_COUNT(&allowed)) < jobs) return;
  constexpr unsigned kMostNumbers = 255;  // what LaunchOptions::processor can say
  unsigned rank = 0;
  for (unsigned number = kMostNumbers; number-- > 0;) {
    if (!CPU_ISSET(number, &allowed) || rank++ != index) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(number, &one);
    if (::sched_setaffinity(0, sizeof one, &one) == 0) number_ = static_cast<std::uint8_t>(number + 1);
    return;
  }
}

ProcessorSeat::~ProcessorSeat() {
  if (number_ != 0) ::sched_setaffinity(0, sizeof(cpu_set_t), &all());
}

}  // namespace ravel
