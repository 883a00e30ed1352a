// SPDX-License-Identifier: Apache-2.0
#include "driver/reproduce/call_record.h"

#include <algorithm>
#include <set>

#include "reports/symboliser.h"

namespace ravel {
namespace {

// What std::type_info::name() says, in words.
std::string type_name(const char* mangled) {
  if (*mangled == '\0') return "";
  const std::string text = demangle(std::string("_ZTS") + mangled);
  constexpr std::string_view kPrefix = "typeinfo name for ";
  return text.starts_with(kPrefix) ? text.substr(kPrefix.size()) : text;
}

bool is_spoiling(const CallEvent& event) {
  const bool null = event.kind == CallEventKind::write && event.size == 8 && event.value == ValueClass::zero;
  return null || event.kind == CallEventKind::freed;
}

class Coverage {
 public:
  void add(const CallEvent& event) {
    mix(event.pc);
    mix(static_cast<std::uint64_t>(event.kind) * 16 + static_cast<std::uint64_t>(event.value));
  }
  std::uint64_t value() const { return hash_; }

 private:
  void mix(std::uint64_t value) {
    hash_ = (hash_ ^ value) * 1099511628211ULL;
    hash_ ^= hash_ >> 29U;
  }
  std::uint64_t hash_ = 14695981039346656037ULL;
};

}  // namespace

void make_set(std::vector<std::uint64_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

CallRecord record_of(const CallTrace& trace, std::size_t calls) {
  CallRecord record;
  record.outcome = trace.outcome;
  record.in_last_call = trace.failed_call + 1 >= calls;
  record.exception = type_name(trace.exception);
  record.state = trace.state;
  record.events.assign(trace.event, trace.event + trace.event_count);
  Coverage coverage;
  std::set<std::uint64_t> held;
  std::set<std::uint64_t> released;
  std::set<std::vector<std::uint64_t>> histories;
  for (const CallEvent& event : record.events) {
    switch (event.kind) {
      case CallEventKind::acquire:
        if (!released.contains(event.address)) held.insert(event.address);
        coverage.add(event);
        break;
      case CallEventKind::release:
        held.erase(event.address);
        released.insert(event.address);
        coverage.add(event);
        break;
      case CallEventKind::read:
      case CallEventKind::write:
      case CallEventKind::freed:
        if (event.shared == 0) break;
        (event.kind == CallEventKind::read ? record.reads : record.writes).push_back(word_of(event));
        if (is_spoiling(event)) record.spoilt.push_back(word_of(event));
        histories.emplace(held.begin(), held.end());
        coverage.add(event);
        break;
      case CallEventKind::enter:
      case CallEventKind::leave:
        coverage.add(event);
        break;
    }
  }
  make_set(record.reads);
  make_set(record.writes);
  make_set(record.spoilt);
  record.histories.assign(histories.begin(), histories.end());
  record.coverage = coverage.value();
  return record;
}

}  // namespace ravel
