// SPDX-License-Identifier: Apache-2.0
#ifndef RAVEL_IN_TARGET
#include "strategies/reads_from_corpus.h"

#include <algorithm>

#include "base/recently_seen.h"
#include "strategies/observed_order.h"
#include "strategies/profile.h"

namespace ravel {
namespace {

constexpr std::size_t kMostEvents = 1U << 17;  // of one trace
constexpr std::size_t kMostObjects = 4096;
constexpr std::size_t kMostSites = 64;   // of one object
constexpr std::size_t kMostPaths = 16;   // of one site
constexpr std::size_t kMostCounts = 16;  // kept with one object
constexpr std::size_t kMostEntries = 512;
constexpr std::size_t kMostPairs = 1U << 18;
constexpr std::size_t kLongest = 8;  // constraints in one schedule
constexpr std::uint32_t kMostVariants = 24;
constexpr std::uint64_t kMostOccurrences = 4;
constexpr std::uint32_t kTries = 4;

std::uint64_t few(std::uint64_t occurrence) { return std::min(occurrence, kMostOccurrences); }

// A pair of code locations: what coverage counts.
std::uint64_t hash_locations(const Constraint& pair) {
  std::uint64_t hash = hash_mix(pair.object, pair.read.pc);
  hash = hash_mix(hash, few(pair.read.occurrence));
  hash = hash_mix(hash, pair.write.pc);
  return hash_mix(hash, few(pair.write.occurrence));
}

std::uint64_t hash_tasks(const Constraint& pair) {
  return hash_mix(hash_mix(hash_locations(pair), pair.read.path), pair.write.path);
}

// Whether a constraint is about one particular task: often where few run the same code, rarely where many do.
bool names_task(std::size_t tasks, Random& random) {
  if (tasks < 2) return false;
  return random.below(tasks < kMostPaths ? 2 : 8) == 0;
}

// 0: any. Early ones more often: the late ones are not reached in every execution.
std::uint64_t draw_occurrence(std::uint64_t most, Random& random) {
  if (most < 2 || random.below(4) == 0) return 0;
  const auto bound = static_cast<std::uint32_t>(std::min<std::uint64_t>(most, 16));
  const std::uint32_t first = random.below(bound);
  return 1 + std::min(first, random.below(bound));
}

// One read sees one write: a new constraint replaces those it contradicts.
void add_rule(AbstractSchedule& schedule, const Constraint& rule) {
  std::erase_if(schedule, [&](const Constraint& other) {
    const bool same_read = other.read == rule.read && other.object == rule.object;
    return same_read && (!rule.negative || !other.negative || other.write == rule.write);
  });
  schedule.push_back(rule);
}

template <typename T>
const T& any_of(const std::vector<T>& from, Random& random) {
  return from[random.below(static_cast<std::uint32_t>(from.size()))];
}

}  // namespace

ReadsFromCorpus::Object* ReadsFromCorpus::object_at(std::uint64_t address) {
  const auto at = object_at_.find(address);
  if (at != object_at_.end()) return &objects_[at->second];
  if (objects_.size() >= kMostObjects) return nullptr;
  object_at_[address] = objects_.size();
  objects_.push_back(Object{address});
  return &objects_.back();
}

// The n-th operation of this task here, in this execution: n.
std::uint64_t ReadsFromCorpus::count(Object& object, std::uint64_t pc, std::uint64_t path) {
  for (Count& known : object.counts) {
    if (known.pc != pc || known.path != path) continue;
    known.count = known.execution == execution_ ? known.count + 1 : 1;
    known.execution = execution_;
    return known.count;
  }
  if (object.counts.size() >= kMostCounts) return ++more_counts_[hash_mix(hash_mix(path, pc), object.address)];
  object.counts.push_back(Count{pc, path, execution_, 1});
  return 1;
}

void ReadsFromCorpus::note(std::vector<Site>& sites, std::uint64_t pc, std::uint64_t path, std::uint64_t occurrence) {
  auto site = std::find_if(sites.begin(), sites.end(), [&](const Site& other) { return other.pc == pc; });
  if (site == sites.end()) {
    if (sites.size() >= kMostSites) return;
    sites.push_back(Site{pc});
    site = sites.end() - 1;
  }
  site->occurrences = std::max(site->occurrences, occurrence);
  if (site->paths.size() >= kMostPaths) return;
  if (std::find(site->paths.begin(), site->paths.end(), path) == site->paths.end()) site->paths.push_back(path);
}

// How new it is.
std::uint32_t ReadsFromCorpus::take_pair(const Constraint& pair, bool same_task) {
  if (pairs_.size() >= kMostPairs) return 0;
  const std::uint64_t locations = hash_mix(hash_locations(pair), same_task ? 1 : 0);
  std::uint32_t news = pairs_.insert(locations).second ? 4 : 0;
  // Which tasks they were is interesting where there are few; with a hundred alike everything would be new forever.
  std::uint32_t& variants = variants_[locations];
  if (variants < kMostVariants && pairs_.insert(hash_tasks(pair)).second) {
    ++variants;
    ++news;
  }
  return news;
}

void ReadsFromCorpus::learn(const AbstractSchedule& schedule, bool ours, const ExecutionView& view) {
  if (view.trace.empty()) return;
  const auto trace = view.trace.first(std::min(view.trace.size(), kMostEvents));
  // Steps whose read took an older store than the latest: what they saw is not known here.
  std::unordered_set<std::uint64_t> older;
  for (const OfferedChoice& offer : view.offered) {
    if (offer.kind == DecisionKind::reads_from && offer.taken != 0) older.insert(offer.step - 1);
  }
  TracedPaths paths;
  std::unordered_set<std::uint64_t> seen;  // pairs of this execution
  RecentlySeen recent;                     // of these
  ++execution_;
  more_counts_.clear();
  std::uint64_t signature = 0;
  std::uint32_t news = 0;
  Object* object = nullptr;  // of the step before: runs of steps are on the same one
  for (std::size_t step = 0; step < trace.size(); ++step) {
    const Operation& operation = trace[step].operation;
    paths.see(operation);
    const bool reads = sees(operation.kind);
    const bool writes = leaves(operation.kind);
    if (!reads && !writes) continue;
    if (object == nullptr || object->address != operation.object) object = object_at(operation.object);
    if (object == nullptr) continue;
    const std::uint64_t path = paths.path(operation.task);
    if (object->first_task == 0) object->first_task = path;
    const bool was_interesting = object->shared && !object->reads.empty() && !object->writes.empty();
    object->shared = object->shared || object->first_task != path;
    const std::uint64_t occurrence = count(*object, operation.pc, path);
    if (reads) {
      note(object->reads, operation.pc, path, occurrence);
      if (older.empty() || !older.contains(step)) {
        const Constraint pair{false,
                              false,
                              {operation.pc, path, occurrence},
                              object->written_in == execution_ ? object->latest : EventPattern{},
                              operation.object};
        const std::uint64_t hash = hash_tasks(pair);
        if (!recent.again(hash) && seen.insert(hash).second) {
          const bool same_task = pair.write.path == path;
          // A sum, so the order does not matter.
          signature += hash_mix(hash_locations(pair), same_task ? 1 : 0);
          const std::uint32_t brought = ours && object->shared ? take_pair(pair, same_task) : 0;
          news += brought;
          if (brought != 0) ++object->pairs;
        }
      }
    }
    if (writes) {
      note(object->writes, operation.pc, path, occurrence);
      object->latest = {operation.pc, path, occurrence};
      object->written_in = execution_;
    }
    if (!was_interesting && object->shared && !object->reads.empty() && !object->writes.empty()) {
      interesting_.push_back(static_cast<std::size_t>(object - objects_.data()));
    }
  }
  // What other strategies came across is new to us too, but only schedules that we can make again are worth building
  // on.
  if (!ours) {
    if (entries_.empty()) entries_.push_back(Entry{});
    return;
  }
  if (frequency_.size() >= kMostPairs) frequency_.clear();
  const bool new_signature = ++frequency_[signature] == 1;
  if (news == 0 && !new_signature) return;
  const auto same = [&](const Entry& entry) { return entry.schedule == schedule; };
  const auto known = std::find_if(entries_.begin(), entries_.end(), same);
  if (known != entries_.end()) {
    known->news += news;
    known->signature = signature;
    return;
  }
  if (entries_.size() < kMostEntries) {
    entries_.push_back(Entry{schedule, signature, news, 0});
    return;
  }
  // The one that was tried most and gained least makes room.
  const auto worst = std::max_element(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::uint64_t{a.chosen} * (1 + b.news) < std::uint64_t{b.chosen} * (1 + a.news);
  });
  *worst = Entry{schedule, signature, news, 0};
}

// Rare signatures, many new pairs and few tries earn energy.
std::size_t ReadsFromCorpus::draw_entry(Random& random) const {
  std::vector<double> sums;
  double total = 0;
  for (const Entry& entry : entries_) {
    const auto frequency = frequency_.find(entry.signature);
    const double seen = frequency == frequency_.end() ? 1 : frequency->second;
    total += (1.0 + entry.news) / (seen * (1.0 + entry.chosen));
    sums.push_back(total);
  }
  const auto at = std::upper_bound(sums.begin(), sums.end(), random.unit() * total);
  return at == sums.end() ? sums.size() - 1 : static_cast<std::size_t>(at - sums.begin());
}

// A read and a write of the same object, preferably ones that have not been seen together.
bool ReadsFromCorpus::make_constraint(Random& random, Constraint& made) {
  if (interesting_.empty()) return false;
  // What a task is given at its creation is shared too, but its order never changes. Such objects fade.
  std::vector<double> sums;
  double total = 0;
  for (const std::size_t index : interesting_) {
    total += (1 + objects_[index].pairs) / (8 + objects_[index].tries);
    sums.push_back(total);
  }
  const auto any_object = [&]() -> Object& {
    const auto at = std::upper_bound(sums.begin(), sums.end(), random.unit() * total);
    return objects_[interesting_[at == sums.end() ? sums.size() - 1 : static_cast<std::size_t>(at - sums.begin())]];
  };
  constexpr int kDraws = 12;
  bool any = false;
  for (int i = 0; i < kDraws; ++i) {
    Object& object = any_object();
    const Site& read = any_of(object.reads, random);
    const std::uint32_t which = random.below(static_cast<std::uint32_t>(object.writes.size()) + 1);
    Constraint rule;
    rule.object = object.address;
    rule.read.pc = read.pc;
    if (names_task(read.paths.size(), random)) rule.read.path = any_of(read.paths, random);
    // Once written, the initial value is gone.
    const bool initial = which == object.writes.size();
    if (!initial) rule.read.occurrence = draw_occurrence(read.occurrences, random);
    if (!initial) {
      const Site& write = object.writes[which];
      rule.write.pc = write.pc;
      if (names_task(write.paths.size(), random)) rule.write.path = any_of(write.paths, random);
      rule.write.occurrence = draw_occurrence(write.occurrences, random);
    }
    // As coverage counts them, in full; a wildcard stands for the first.
    Constraint full = rule;
    if (full.read.occurrence == 0) full.read.occurrence = 1;
    if (full.write.pc != 0 && full.write.occurrence == 0) full.write.occurrence = 1;
    if (full.read.path == 0 && read.paths.size() == 1) full.read.path = read.paths.front();
    const bool same_task = rule.write.pc != 0 && full.read.path != 0 && full.read.path == rule.write.path;
    std::uint64_t hash = hash_mix(hash_locations(full), same_task ? 1 : 0);
    // Seen, but not between these two tasks?
    if (pairs_.contains(hash) && full.read.path != 0 && full.write.path != 0 && variants_[hash] < kMostVariants) {
      hash = hash_tasks(full);
    }
    std::uint32_t& tried = tried_[hash];
    const bool unseen = !pairs_.contains(hash);
    if (!any || (unseen && tried < kTries)) made = rule;
    any = true;
    if (unseen ? tried < kTries : random.below(8) == 0) {
      ++tried;
      ++object.tries;
      made = rule;
      break;
    }
  }
  made.negative = random.below(8) == 0;
  made.late = !made.negative && made.write.pc != 0 && random.below(3) == 0;
  if (made.write.pc != 0 && random.below(16) == 0) {
    made.object = 0;
    made.read.occurrence = 0;
    made.write.occurrence = 0;
  }
  if (tried_.size() > kMostPairs) tried_.clear();
  return true;
}

void ReadsFromCorpus::mutate(AbstractSchedule& schedule, Random& random) {
  const auto any_index = [&] { return random.below(static_cast<std::uint32_t>(schedule.size())); };
  Constraint rule;
  const std::uint32_t what = schedule.empty() ? 0 : random.below(16);
  if (what < 8) {
    if (make_constraint(random, rule)) add_rule(schedule, rule);
  } else if (what < 11) {
    schedule.erase(schedule.begin() + any_index());
    if (make_constraint(random, rule)) add_rule(schedule, rule);
  } else if (what < 12) {
    schedule.erase(schedule.begin() + any_index());
  } else if (what < 13) {
    Constraint& chosen = schedule[any_index()];
    if (chosen.negative || random.below(2) == 0) {
      chosen.negative = !chosen.negative;
    } else {
      chosen.late = !chosen.late;
    }
  } else {
    const AbstractSchedule& other = any_of(entries_, random).schedule;
    const auto length = static_cast<std::uint32_t>(other.size());
    const std::uint32_t from = length == 0 ? 0 : random.below(length);
    for (std::uint32_t i = from; i < length; ++i) add_rule(schedule, other[i]);
  }
  if (schedule.size() > kLongest) schedule.erase(schedule.begin(), schedule.end() - kLongest);
}

AbstractSchedule ReadsFromCorpus::draw(Random& random) {
  if (entries_.empty()) return {};
  AbstractSchedule schedule;
  if (random.below(8) != 0) {
    Entry& entry = entries_[draw_entry(random)];
    ++entry.chosen;
    schedule = entry.schedule;
  }
  do {
    mutate(schedule, random);
  } while (random.below(3) == 0);
  return schedule;
}

}  // namespace ravel
#endif
