// SPDX-License-Identifier: Apache-2.0
// CallCollector: turns functions into the calls of a listing: a pool of values for each parameter, or the reason why a
// test cannot call it.
//
// Who calls it: class_lister, method_templates and handle_lister. Thread safety: none.
#pragma once

#include <clang/AST/Decl.h>

#include <string>
#include <vector>

#include "analysis/classes/value_pools.h"

namespace ravel {

class CallCollector {
 public:
  explicit CallCollector(ValuePools pools) : pools_(std::move(pools)) {}

  // "log(Level, const std::string &)". `arguments`: of the template: "<int>".
  std::string signature(const clang::FunctionDecl& function, const std::string& arguments = "") const;

  // The operation, with pools for the parameters that it has not yet. False: it was left out. Parameters that have
  // default arguments and need values that there are not are left to the defaults.
  bool add(const clang::FunctionDecl& function, ListedOperation operation);
  void leave_out(const std::string& signature, const std::string& reason) {
    listing.left_out.push_back({signature, reason});
  }

  ValuePools& pools() { return pools_; }
  const ValuePools& pools() const { return pools_; }
  bool makes_objects() const;
  // The listing with its pools. Once.
  ClassListing take();

  ClassListing listing;

 private:
  // Who takes what a call returns: a connection of a pool, a listener's number.
  void connect_results();

  ValuePools pools_;
  std::vector<clang::QualType> results_;  // by operation
};

}  // namespace ravel
