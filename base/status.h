// SPDX-License-Identifier: Apache-2.0
// Status: a problem of the user or the environment (no such program, damaged schedule file). It has one clear sentence
// about what is wrong and one about what to do next; the command line prints both and exits with 2. Driver side only:
// it allocates.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/check.h"

namespace ravel {

class [[nodiscard]] Status {
 public:
  static Status ok() { return Status{}; }
  static Status trouble(std::string what, std::string advice) {
    Status status;
    status.trouble_ = true;
    status.what_ = std::move(what);
    status.advice_ = std::move(advice);
    return status;
  }

  bool is_ok() const { return !trouble_; }
  const std::string& what() const { return what_; }      // "./x is a directory"
  const std::string& advice() const { return advice_; }  // "give the program itself, e.g. ..."; may be empty

 private:
  bool trouble_ = false;
  std::string what_;
  std::string advice_;
};

// A value or the Status that explains why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}         // NOLINT: implicit by design
  Result(Status status) : status_(std::move(status)) {  // NOLINT: implicit by design
    RAVEL_CHECK(!status_.is_ok(), "a Result without value needs a trouble");
  }

  bool is_ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }
  T& value() { return *value_; }
  const T& value() const { return *value_; }

 private:
  std::optional<T> value_;
  Status status_ = Status::ok();
};

}  // namespace ravel
