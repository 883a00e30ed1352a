// SPDX-License-Identifier: Apache-2.0
#include "int_range.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>

namespace ranges {

IntRange::IntRange() : IntRange(0, 0) {}
IntRange::IntRange(int number) : IntRange(number, number) {}
IntRange::IntRange(int first, int second) : minimum_(std::min(first, second)), maximum_(std::max(first, second)) {}

IntRange IntRange::parse(const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) throw std::invalid_argument("not a range: " + text);
  return IntRange(std::stoi(text.substr(0, dots)), std::stoi(text.substr(dots + 2)));
}

int IntRange::get_minimum() const { return minimum_; }
int IntRange::get_maximum() const { return maximum_; }

void IntRange::set_minimum(int minimum) {
  if (minimum > maximum_) throw std::invalid_argument("the minimum is above the maximum");
  minimum_ = minimum;
}

void IntRange::set_maximum(int maximum) {
  if (maximum < minimum_) throw std::invalid_argument("the maximum is below the minimum");
  maximum_ = maximum;
}

void IntRange::set(int first, int second) {
  minimum_ = std::min(first, second);
  maximum_ = std::max(first, second);
}

void IntRange::shift(int distance) {
  if (distance > 1'000'000 || distance < -1'000'000) throw std::out_of_range("too far");
  minimum_ += distance;
  maximum_ += distance;
}

void IntRange::widen(int distance) {
  if (distance < 0 || distance > 1'000'000) throw std::out_of_range("not a distance");
  minimum_ -= distance;
  maximum_ += distance;
}

void IntRange::reset() { set(0, 0); }

bool IntRange::contains(int value) const { return value >= minimum_ && value <= maximum_; }

bool IntRange::contains_all(const std::vector<int>& values) const {
  return std::all_of(values.begin(), values.end(), [this](int value) { return contains(value); });
}

bool IntRange::is_empty() const { return minimum_ > maximum_; }
bool IntRange::is_before(int value) const { return maximum_ < value; }
bool IntRange::is_after(int value) const { return minimum_ > value; }
int IntRange::clamp(int value) const {
  if (value < minimum_) return minimum_;
  return value > maximum_ ? maximum_.load() : value;
}

long IntRange::length() const {
  const long low = minimum_;
  const long high = maximum_;
  assert(low <= high);
  return high - low + 1;
}

int IntRange::middle() const { return minimum_ + (maximum_ - minimum_) / 2; }

std::vector<int> IntRange::sample(int count) const {
  std::vector<int> values;
  if (count <= 0 || count > 1000) return values;
  const int low = minimum_;
  const int step = std::max(1, (maximum_ - low) / count);
  for (int i = 0; i < count; ++i) values.push_back(low + i * step);
  return values;
}

std::string IntRange::to_string() const {
  return "Range[" + std::to_string(minimum_) + "," + std::to_string(maximum_) + "]";
}

int IntRange::hash_code() const { return 37 * (17 + minimum_ % 1000) + maximum_ % 1000; }
bool IntRange::equals(const IntRange& other) const { return minimum_ == other.minimum_ && maximum_ == other.maximum_; }
bool IntRange::overlaps(const IntRange& other) const {
  return other.contains(minimum_) || other.contains(maximum_) || contains(other.minimum_);
}

void IntRange::include(int value) {
  if (value < minimum_) minimum_ = value;
  if (value > maximum_) maximum_ = value;
}

void IntRange::exclude_below(int value) {
  if (value > maximum_) throw std::invalid_argument("nothing would be left");
  if (value > minimum_) minimum_ = value;
}

void IntRange::exclude_above(int value) {
  if (value < minimum_) throw std::invalid_argument("nothing would be left");
  if (value < maximum_) maximum_ = value;
}

void IntRange::set_name(const std::string& name) { name_ = name; }
std::string IntRange::get_name() const { return name_; }

}  // namespace ranges
