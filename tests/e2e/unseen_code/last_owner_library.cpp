// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <thread>

std::thread keep(std::shared_ptr<int> object) {
  return std::thread([object = std::move(object)]() mutable { object.reset(); });
}
