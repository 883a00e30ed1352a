// SPDX-License-Identifier: Apache-2.0
#include "tests/litmus/model.h"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/litmus/relation.h"

namespace ravel::litmus {
namespace {

// An operation in one candidate execution, or the initialisation of a location (`operation` is null).
struct Event {
  const Operation* operation = nullptr;
  int task = -1;
  int location = -1;

  // What it turned out to be, once values are known. A failed compare_exchange is a load with its failure order; an
  // operation whose guard is false is neither present, nor reads, nor writes.
  bool present = false;
  bool reads = false;
  bool writes = false;
  Order order = rlx;
  int written = 0;

  bool is_fence() const { return present && location < 0; }
  bool is_rmw() const { return reads && writes; }
  bool is_sc() const { return present && order == sc && operation != nullptr; }
};

class Oracle {
 public:
  explicit Oracle(const Program& program) : program_(program) {
    initialisation_.fill(-1);
    for (int location : names_in(program).locations) {
      initialisation_[location] = static_cast<int>(events_.size());
      events_.push_back({.location = location, .present = true, .writes = true});
    }
    for (int task = 0; task < static_cast<int>(program.size()); ++task) {
      first_of_task_.push_back(static_cast<int>(events_.size()));
      for (const Operation& operation : program[task]) {
        events_.push_back({.operation = &operation, .task = task, .location = operation.location});
      }
    }
    if (events_.size() > Relation::max_events) throw std::length_error("too many operations for the oracle");
    source_.assign(events_.size(), -1);
    position_.assign(events_.size(), 0);
    for (int e = 0; e < size(); ++e) {
      if (events_[e].operation != nullptr && events_[e].operation->reads()) readers_.push_back(e);
    }
  }

  Verdict run() {
    choose_sources(0);
    interleave();
    return std::move(verdict_);
  }

 private:
  int size() const { return static_cast<int>(events_.size()); }

  // --- candidates: which store each read takes its value from ---

  void choose_sources(std::size_t next) {
    if (next == readers_.size()) {
      if (values_follow()) choose_modification_orders(0);
      return;
    }
    const int reader = readers_[next];
    for (int store = 0; store < size(); ++store) {
      const Event& candidate = events_[store];
      if (store == reader || candidate.location != events_[reader].location) continue;
      if (candidate.operation != nullptr && !candidate.operation->may_write()) continue;
      source_[reader] = store;
      choose_sources(next + 1);
    }
  }

  // Performs every task as far as the values it reads are known. Stuck before the end means that sequenced-before and
  // reads-from have a cycle. False also where a read would take its value from an operation that writes nothing.
  bool values_follow() {
    std::vector<std::size_t> at(program_.size(), 0);
    std::vector<bool> done(events_.size(), false);
    outcome_.registers.fill(not_reached);
    for (int start : initialisation_) {
      if (start >= 0) done[start] = true;
    }
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t task = 0; task < program_.size(); ++task) {
        while (at[task] < program_[task].size()) {
          const int e = first_of_task_[task] + static_cast<int>(at[task]);
          Event& event = events_[e];
          const bool wanted = !event.operation->only || outcome_.satisfies(*event.operation->only);
          if (wanted && event.operation->reads()) {
            if (!done[source_[e]]) break;
            if (!events_[source_[e]].writes) return false;
          }
          // An absent read has no source: keep one of the equal candidates.
          if (!wanted && event.operation->reads() && source_[e] != initialisation_[event.location]) return false;
          perform(e, wanted);
          done[e] = true;
          moved = true;
          ++at[task];
        }
      }
    }
    for (std::size_t task = 0; task < program_.size(); ++task) {
      if (at[task] < program_[task].size()) return false;
    }
    return true;
  }

  void perform(int e, bool wanted) {
    Event& event = events_[e];
    const Operation& operation = *event.operation;
    event.present = wanted;
    event.reads = wanted && operation.reads();
    event.writes = wanted && operation.may_write();
    event.order = operation.order;
    if (!wanted) return;
    const int read = event.reads ? events_[source_[e]].written : 0;
    if (operation.kind == Kind::compare_exchange && read != operation.expected) {
      event.writes = false;
      event.order = operation.failure;
    }
    event.written = operation.kind == Kind::fetch_add ? read + operation.value : operation.value;
    if (operation.result >= 0) outcome_.registers[operation.result] = read;
  }

  // --- candidates: the modification order of each location, the initialisation first ---

  void choose_modification_orders(int location) {
    if (location == max_locations) {
      judge_candidate();
      return;
    }
    outcome_.locations[location] = 0;
    if (initialisation_[location] < 0) return choose_modification_orders(location + 1);
    std::vector<int> writes;
    for (int e = 0; e < size(); ++e) {
      if (events_[e].writes && events_[e].location == location && e != initialisation_[location]) writes.push_back(e);
    }
    position_[initialisation_[location]] = 0;
    do {
      for (std::size_t i = 0; i < writes.size(); ++i) position_[writes[i]] = static_cast<int>(i) + 1;
      // [atomics.order]: a read-modify-write reads the last value before its own in modification order.
      const bool atomic = std::all_of(writes.begin(), writes.end(), [this](int e) {
        return !events_[e].reads || position_[e] == position_[source_[e]] + 1;
      });
      if (!atomic) continue;
      outcome_.locations[location] = writes.empty() ? 0 : events_[writes.back()].written;
      choose_modification_orders(location + 1);
    } while (std::next_permutation(writes.begin(), writes.end()));
  }

  // --- judging one candidate ---

  void judge_candidate() {
    const Relation sequenced = sequenced_before();
    const Relation synchronizes = synchronizes_with(sequenced);
    const Relation happens = (sequenced | synchronizes).closure();
    const Relation coherence = coherence_ordered_before();

    // The four rules of coherence ([intro.races]/15-18) in one: what happens before is never coherence-ordered after.
    for (int a = 0; a < size(); ++a) {
      for (int b = 0; b < size(); ++b) {
        if (happens.has(a, b) && coherence.has(b, a)) return;
      }
    }

    // S exists exactly where what is asked of it has no cycle; and one S fits into a total order of all operations
    // exactly where that, sequenced-before and reads-from have no cycle together.
    const Relation asked_of_s = order_of_seq_cst(sequenced, synchronizes, happens, coherence);
    if (!asked_of_s.acyclic()) return;
    verdict_.allowed.insert(outcome_);
    if ((asked_of_s | sequenced | reads_from()).acyclic()) verdict_.engine.insert(outcome_);
  }

  Relation sequenced_before() const {
    Relation result;
    for (int a = 0; a < size(); ++a) {
      for (int b = a + 1; b < size(); ++b) {
        const bool same_task = events_[a].task >= 0 && events_[a].task == events_[b].task;
        if (same_task && events_[a].present && events_[b].present) result.add(a, b);
      }
    }
    return result;
  }

  Relation reads_from() const {
    Relation result;
    for (int e : readers_) {
      if (events_[e].reads) result.add(source_[e], e);
    }
    return result;
  }

  // [atomics.order]/2 and [atomics.fences]/2-4. A read takes its value from the (hypothetical) release sequences headed
  // by its source and, while that is a read-modify-write, by the source's source: since C++20 a release sequence goes
  // on through read-modify-writes only, and each stands right behind its source in modification order.
  Relation synchronizes_with(const Relation& sequenced) const {
    Relation result;
    for (int read : readers_) {
      if (!events_[read].reads) continue;
      for (int head = source_[read];; head = source_[head]) {
        for (int from = 0; from < size(); ++from) {
          const bool releasing = from == head || (events_[from].is_fence() && sequenced.has(from, head));
          if (!releasing || events_[from].operation == nullptr || !releases(events_[from].order)) continue;
          for (int to = 0; to < size(); ++to) {
            const bool acquiring = to == read || (events_[to].is_fence() && sequenced.has(read, to));
            if (acquiring && acquires(events_[to].order)) result.add(from, to);
          }
        }
        if (!events_[head].is_rmw()) break;
      }
    }
    return result;
  }

  // [atomics.order]/3.
  Relation coherence_ordered_before() const {
    Relation result = reads_from();
    for (int a = 0; a < size(); ++a) {
      for (int b = 0; b < size(); ++b) {
        if (a == b || events_[a].location < 0 || events_[a].location != events_[b].location) continue;
        if (!events_[b].writes) continue;
        const bool modification = events_[a].writes && position_[a] < position_[b];
        const bool from_read = events_[a].reads && position_[source_[a]] < position_[b];
        if (modification || from_read) result.add(a, b);
      }
    }
    return result.closure();
  }

  // What [atomics.order]/4 asks of the total order S.
  Relation order_of_seq_cst(const Relation& sequenced, const Relation& synchronizes, const Relation& happens,
                            const Relation& coherence) const {
    // Strongly happens before, [intro.races]/12. The standard says "sequentially consistent atomic operations" for the
    // synchronising pair; whether that includes fences makes no difference, since the rules below order those anyway.
    Relation strongly = sequenced | (sequenced * happens * sequenced);
    for (int a = 0; a < size(); ++a) {
      for (int b = 0; b < size(); ++b) {
        if (synchronizes.has(a, b) && events_[a].is_sc() && events_[b].is_sc()) strongly.add(a, b);
      }
    }
    strongly = strongly.closure();

    Relation result;
    for (int a = 0; a < size(); ++a) {
      for (int b = 0; b < size(); ++b) {
        if (events_[a].is_sc() && events_[b].is_sc() && strongly.has(a, b)) result.add(a, b);
        if (!coherence.has(a, b)) continue;
        // The four rules: a itself or a fence before it, against b itself or a fence after it.
        for (int from = 0; from < size(); ++from) {
          const bool stands_for_a = from == a || (events_[from].is_fence() && happens.has(from, a));
          if (!stands_for_a || !events_[from].is_sc()) continue;
          for (int to = 0; to < size(); ++to) {
            const bool stands_for_b = to == b || (events_[to].is_fence() && happens.has(b, to));
            if (stands_for_b && events_[to].is_sc()) result.add(from, to);
          }
        }
      }
    }
    return result;
  }

  // --- sequential consistency: one task after the other performs its next operation, on one memory ---

  void interleave() {
    outcome_.registers.fill(not_reached);
    outcome_.locations.fill(0);
    std::vector<std::size_t> at(program_.size(), 0);
    interleave_from(at);
  }

  void interleave_from(std::vector<std::size_t>& at) {
    bool at_end = true;
    for (std::size_t task = 0; task < program_.size(); ++task) {
      if (at[task] == program_[task].size()) continue;
      at_end = false;
      const Outcome before = outcome_;
      const Operation& operation = program_[task][at[task]++];
      if (!operation.only || outcome_.satisfies(*operation.only)) step(operation);
      interleave_from(at);
      --at[task];
      outcome_ = before;
    }
    if (at_end) verdict_.interleavings.insert(outcome_);
  }

  void step(const Operation& operation) {
    if (operation.kind == Kind::fence) return;
    int& memory = outcome_.locations[operation.location];
    const int read = memory;
    if (operation.result >= 0) outcome_.registers[operation.result] = read;
    switch (operation.kind) {
      case Kind::store:
      case Kind::exchange:
        memory = operation.value;
        break;
      case Kind::fetch_add:
        memory = read + operation.value;
        break;
      case Kind::compare_exchange:
        if (read == operation.expected) memory = operation.value;
        break;
      case Kind::load:
      case Kind::fence:
        break;
    }
  }

  const Program& program_;
  std::vector<Event> events_;  // the initialisations first, then the operations, task by task
  std::array<int, max_locations> initialisation_{};
  std::vector<int> first_of_task_;
  std::vector<int> readers_;
  std::vector<int> source_;    // of each event that reads: the event whose value it takes
  std::vector<int> position_;  // of each event that writes: its place in the modification order of its location
  Outcome outcome_{};
  Verdict verdict_;
};

}  // namespace

Verdict judge(const Program& program) {
  if (auto why = why_malformed(program)) throw std::invalid_argument(*why);
  return Oracle(program).run();
}

}  // namespace ravel::litmus
