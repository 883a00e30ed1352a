// SPDX-License-Identifier: Apache-2.0
// Fault: two that stop the service both see the journal and both free it. With FIXED a lock is held from the look to
// the end, so the order that the race test forces is not possible any more.
#include "service.h"

namespace shop {

Service::Service() : journal_(new Journal) {}

Service::~Service() { stop(Reason::ended); }

void Service::handle(const std::string& request) {
  const std::lock_guard<std::mutex> guard(mutex_);
  if (journal_ != nullptr) journal_->write(request);
}

std::size_t Service::requests() {
  const std::lock_guard<std::mutex> guard(mutex_);
  const std::size_t none = 0;
  return journal_ == nullptr ? none : journal_->size();
}

void Service::stop(Reason reason) {
#ifdef FIXED
  const std::lock_guard<std::mutex> guard(mutex_);
#endif
  Journal* journal = journal_;
  if (journal == nullptr) return;
  if (reason == Reason::watchdog) journal->write("stopped by the watchdog");
  journal_ = nullptr;
  delete journal;
}

}  // namespace shop
