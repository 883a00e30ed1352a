// SPDX-License-Identifier: Apache-2.0
// MethodCoverage: the two models of ConTest, accumulated over runs and, in a file, over invocations.
//
//   model 1   for each function with concurrent events two tasks: it was interrupted by another thread; in some run it
//             was not
//   model 2   for each pair (A, B) of such functions: A was interrupted by B
//
// A function that was only ever seen while there was one thread has no tasks: nothing could interrupt it. It is listed
// separately. So is a function that synchronises according to the program's file but that no run has reached. Functions
// are identified by name, so that the file survives a rebuild.
//
// Who calls it: NoiseCampaign under its lock. Thread safety: none.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/status.h"
#include "driver/noise/run_events.h"

namespace ravel {

// As reports show it.
struct MethodRow {
  std::string function;
  bool concurrent = false;        // false: only ever single-threaded
  std::uint64_t interrupted = 0;  // runs in which it was interrupted
  std::uint64_t undisturbed = 0;  // runs in which it was not
  std::vector<std::string> by;    // functions that interrupted it
};

struct MethodSummary {
  std::uint64_t tasks = 0;  // of model 1
  std::uint64_t tasks_covered = 0;
  std::uint64_t pairs = 0;  // of model 2
  std::uint64_t pairs_covered = 0;
  std::uint64_t single_threaded = 0;   // functions
  std::vector<MethodRow> rows;         // by name
  std::vector<std::string> unreached;  // functions that synchronise but that no run has reached; by name

  double share() const { return tasks == 0 ? 0 : static_cast<double>(tasks_covered) / static_cast<double>(tasks); }
};

class MethodCoverage {
 public:
  // The function that the code belongs to; empty when it is not the user's.
  using NameOf = std::function<std::string(std::uint64_t pc)>;

  // Functions that are known before any run has reached them.
  void list(const std::vector<std::uint64_t>& calls, const NameOf& name_of);

  // Learns from one run.
  void learn(const RunEvents& run, const NameOf& name_of);

  // How much noise is wanted at code that was seen: kPair or kMethod where a task is uncovered, otherwise 1.
  static constexpr std::uint8_t kPair = 2;
  static constexpr std::uint8_t kMethod = 8;
  std::uint8_t weight_at(std::uint64_t pc) const;

  // Share of the tasks of model 1 that are covered; 0 when there are none.
  double share() const;
  MethodSummary summary() const;

  // The file. Reading adds to what is there; a file that does not exist counts as empty.
  Status read(const std::string& path);
  Status write(const std::string& path) const;

 private:
  struct Method {
    bool concurrent = false;
    std::uint64_t interrupted = 0;
    std::uint64_t undisturbed = 0;
    std::set<std::string> by;
  };

  const std::string& function_at(std::uint64_t pc, const NameOf& name_of);

  void count_concurrent();

  std::map<std::string, Method> methods_;
  std::set<std::string> listed_;
  std::size_t concurrent_ = 0;                                // how many of them are concurrent
  std::unordered_map<std::uint64_t, std::string> functions_;  // by pc
};

}  // namespace ravel
