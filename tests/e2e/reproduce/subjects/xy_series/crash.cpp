// SPDX-License-Identifier: Apache-2.0
// The application whose crash crash.txt shows: the mean is shown while another thread collects data.
#include <thread>

#include "xy_series.h"

int main() {
  charts::XYSeries series("temperature");
  std::thread display([&] {
    for (;;) series.mean();
  });
  for (int i = 0;; i = (i + 1) % 50) {
    series.add(i, 20);
    if (i == 49) series.clear();
  }
}
