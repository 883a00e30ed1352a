// SPDX-License-Identifier: Apache-2.0
#include "number_axis.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace charts {

using Guard = std::lock_guard<std::mutex>;

Range::Range(double from, double to) : lower(from), upper(to) {}

NumberAxis::NumberAxis() = default;
NumberAxis::NumberAxis(const std::string& label) : label_(label) {}

double NumberAxis::get_lower_bound() const { return lower_; }
double NumberAxis::get_upper_bound() const { return upper_; }

void NumberAxis::set_lower_bound(double lower) {
  if (lower >= upper_) throw std::invalid_argument("the lower bound is not below the upper one");
  lower_ = lower;
  notify();
}

void NumberAxis::set_upper_bound(double upper) {
  if (upper <= lower_) throw std::invalid_argument("the upper bound is not above the lower one");
  upper_ = upper;
  notify();
}

void NumberAxis::set_range(double lower, double upper) {
  if (lower >= upper) throw std::invalid_argument("a range must have a length");
  lower_ = lower;
  upper_ = upper;
  notify();
}

Range NumberAxis::get_range() const {
  const double lower = lower_;
  const double upper = upper_;
  if (lower > upper) {
    throw std::invalid_argument("Range(double, double): require lower <= upper");
  }
  return Range(lower, upper);
}

void NumberAxis::set_range_about(double centre, double length) { set_range(centre - length / 2, centre + length / 2); }

void NumberAxis::zoom(double factor) {
  if (factor <= 0) throw std::invalid_argument("not a factor");
  const double centre = (lower_ + upper_) / 2;
  set_range_about(centre, (upper_ - lower_) * factor);
}

void NumberAxis::pan(double distance) { set_range(lower_ + distance, upper_ + distance); }

void NumberAxis::auto_adjust(const std::vector<double>& values) {
  if (values.empty() || !is_auto_range()) return;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double from = get_auto_range_includes_zero() ? std::min(0.0, *low) : *low;
  set_range(from - margin_, *high + margin_);
}

bool NumberAxis::is_auto_range() const {
  Guard guard(mutex_);
  return automatic_;
}
void NumberAxis::set_auto_range(bool automatic) {
  Guard guard(mutex_);
  automatic_ = automatic;
}
bool NumberAxis::is_inverted() const {
  Guard guard(mutex_);
  return inverted_;
}
void NumberAxis::set_inverted(bool inverted) {
  Guard guard(mutex_);
  inverted_ = inverted;
}
bool NumberAxis::get_auto_range_includes_zero() const {
  Guard guard(mutex_);
  return includes_zero_;
}
void NumberAxis::set_auto_range_includes_zero(bool includes) {
  Guard guard(mutex_);
  includes_zero_ = includes;
}
double NumberAxis::get_margin() const {
  Guard guard(mutex_);
  return margin_;
}
void NumberAxis::set_margin(double margin) {
  Guard guard(mutex_);
  margin_ = margin;
}

double NumberAxis::value_to_pixel(double value, double width) const {
  const Range range = get_range();
  const double share = (value - range.lower) / range.length();
  return (is_inverted() ? 1 - share : share) * width;
}

double NumberAxis::pixel_to_value(double pixel, double width) const {
  const Range range = get_range();
  if (width == 0) return range.lower;
  return range.lower + pixel / width * range.length();
}

std::vector<double> NumberAxis::ticks() const {
  const Range range = get_range();
  std::vector<double> result;
  const double unit = get_tick_unit();
  for (double at = std::ceil(range.lower / unit) * unit; at <= range.upper && result.size() < 100; at += unit) {
    result.push_back(at);
  }
  return result;
}

std::size_t NumberAxis::visible_ticks() const { return is_visible() ? ticks().size() : 0; }

double NumberAxis::get_tick_unit() const {
  Guard guard(mutex_);
  return tick_unit_;
}
void NumberAxis::set_tick_unit(double unit) {
  if (unit <= 0) throw std::invalid_argument("not a unit");
  Guard guard(mutex_);
  tick_unit_ = unit;
}
std::string NumberAxis::get_label() const {
  Guard guard(mutex_);
  return label_;
}
void NumberAxis::set_label(const std::string& label) {
  Guard guard(mutex_);
  label_ = label;
}
std::string NumberAxis::get_number_format() const {
  Guard guard(mutex_);
  return format_;
}
void NumberAxis::set_number_format(const std::string& format) {
  Guard guard(mutex_);
  format_ = format;
}
bool NumberAxis::is_visible() const {
  Guard guard(mutex_);
  return visible_;
}
void NumberAxis::set_visible(bool visible) {
  Guard guard(mutex_);
  visible_ = visible;
}
double NumberAxis::get_label_angle() const {
  Guard guard(mutex_);
  return label_angle_;
}
void NumberAxis::set_label_angle(double angle) {
  Guard guard(mutex_);
  label_angle_ = angle;
}
Edge NumberAxis::get_edge() const {
  Guard guard(mutex_);
  return edge_;
}
void NumberAxis::set_edge(Edge edge) {
  Guard guard(mutex_);
  edge_ = edge;
}
int NumberAxis::get_tick_label_size() const {
  Guard guard(mutex_);
  return tick_label_size_;
}
void NumberAxis::set_tick_label_size(int size) {
  Guard guard(mutex_);
  tick_label_size_ = size;
}

void NumberAxis::add_change_listener(std::function<void()> listener) {
  if (!listener) throw std::invalid_argument("no listener");
  Guard guard(mutex_);
  listeners_.push_back(std::move(listener));
}

void NumberAxis::remove_change_listeners() {
  Guard guard(mutex_);
  listeners_.clear();
}

int NumberAxis::changes() const {
  Guard guard(mutex_);
  return changes_;
}

void NumberAxis::notify() {
  Guard guard(mutex_);
  ++changes_;
  for (const std::function<void()>& listener : listeners_) listener();
}

}  // namespace charts
