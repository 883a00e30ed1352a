// SPDX-License-Identifier: Apache-2.0
// OrderHash: a number for the partial order of an execution. Two executions that differ only in the order of steps that
// do not conflict have the same number; others almost never do.
//
// Each step is hashed with what its task did before and with the latest steps on the same object that it conflicts
// with; the sum over all steps does not depend on their order. Objects share a table of fixed size by address, in
// granules of eight bytes: two objects that share an entry make orders look more distinct than they are, never less.
//
// Called by the scheduler, once per step. Memory that is zero until touched; few pages, since executions are forked.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "model/operation.h"

namespace ravel {

class OrderHash {
 public:
  // `history`: what the task did so far; updated. Returns the number to add to that of the execution.
  std::uint64_t step(const Operation& operation, std::uint64_t& history) {
    const OperationRole role = operation_role(operation.kind);
    std::uint64_t hash =
        mix(history + (static_cast<std::uint64_t>(operation.task) << 8) + static_cast<std::uint64_t>(operation.kind),
            operation.pc);
    if (role != OperationRole::local) {
      Entry& entry = entries_[((operation.object >> 3) * 0x9e3779b97f4a7c15ULL) >> (64 - kBits)];
      if (role == OperationRole::reads) {
        hash = mix(hash, entry.written);
        entry.read += hash;
      } else {
        hash = mix(hash, entry.written + entry.read);
        entry.written = hash;
        entry.read = 0;
      }
    }
    history = hash;
    return hash;
  }

 private:
  // Shorter than hash_mix, and the hashes are never stored: this is done twice for every step.
  static constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ (value * 0x9e3779b97f4a7c15ULL)) * 0xff51afd7ed558ccdULL;
    return hash ^ (hash >> 32);
  }

  static constexpr unsigned kBits = 10;
  struct Entry {
    std::uint64_t written;  // hash of the latest step that changed the object
    std::uint64_t read;     // sum over those that have only read it since
  };
  Entry entries_[1U << kBits];
};

}  // namespace ravel
