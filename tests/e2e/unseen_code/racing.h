// SPDX-License-Identifier: Apache-2.0
// What every program here does when it is told to: a race that nothing orders, beside what the library orders.
#pragma once

inline bool racing = false;
inline int visits = 0;

inline void visit() {
  if (racing) ++visits;
}
