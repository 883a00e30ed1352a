// SPDX-License-Identifier: Apache-2.0
// A range of integers whose ends can be moved. After IntRange of Commons Math 2.4, issue 481: both ends are set one
// after the other, and a reader in between sees an end from before and one from after.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace ranges {

class IntRange {
 public:
  IntRange();
  explicit IntRange(int number);
  IntRange(int first, int second);
  IntRange(const IntRange& other) : minimum_(other.get_minimum()), maximum_(other.get_maximum()), name_(other.name_) {}
  static IntRange parse(const std::string& text);

  int get_minimum() const;
  int get_maximum() const;
  void set_minimum(int minimum);
  void set_maximum(int maximum);
  void set(int first, int second);
  void shift(int distance);
  void widen(int distance);
  void reset();

  bool contains(int value) const;
  bool contains_all(const std::vector<int>& values) const;
  bool is_empty() const;
  bool is_before(int value) const;
  bool is_after(int value) const;
  int clamp(int value) const;
  long length() const;
  int middle() const;
  std::vector<int> sample(int count) const;
  std::string to_string() const;
  int hash_code() const;
  bool equals(const IntRange& other) const;
  bool overlaps(const IntRange& other) const;
  void include(int value);
  void exclude_below(int value);
  void exclude_above(int value);
  void set_name(const std::string& name);
  std::string get_name() const;

 private:
  std::atomic<int> minimum_;
  std::atomic<int> maximum_;
  std::string name_;
};

}  // namespace ranges
