// SPDX-License-Identifier: Apache-2.0
#include "xy_series.h"

#include <algorithm>
#include <stdexcept>

namespace charts {

using Guard = std::lock_guard<std::mutex>;

XYSeries::XYSeries(const std::string& name) : name_(name) {}
XYSeries::XYSeries(const std::string& name, bool sorted, bool duplicates)
    : name_(name), sorted_(sorted), duplicates_(duplicates) {}

std::optional<std::size_t> XYSeries::find(double x) const {
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (items_[i].x == x) return i;
  }
  return std::nullopt;
}

void XYSeries::add(double x, double y) {
  Guard guard(mutex_);
  if (!duplicates_ && find(x)) throw std::invalid_argument("there is an item with this x");
  const auto before = [](const Item& item, double value) { return item.x < value; };
  const auto at = sorted_ ? std::lower_bound(items_.begin(), items_.end(), x, before) : items_.end();
  items_.insert(at, Item{x, y});
  if (items_.size() > most_) items_.erase(items_.begin());
  changed();
}

void XYSeries::add_or_update(double x, double y) {
  {
    Guard guard(mutex_);
    if (const auto at = find(x)) {
      items_[*at].y = y;
      changed();
      return;
    }
  }
  add(x, y);
}

void XYSeries::update(std::size_t index, double y) {
  Guard guard(mutex_);
  items_.at(index).y = y;
  changed();
}

void XYSeries::remove(double x) {
  Guard guard(mutex_);
  if (const auto at = find(x)) items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(*at));
  changed();
}

void XYSeries::remove_at(std::size_t index) {
  Guard guard(mutex_);
  if (index >= items_.size()) throw std::out_of_range("no such item");
  items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(index));
  changed();
}

void XYSeries::remove_first(std::size_t count) {
  Guard guard(mutex_);
  items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(std::min(count, items_.size())));
  changed();
}

void XYSeries::clear() {
  Guard guard(mutex_);
  std::vector<Item>().swap(items_);
  changed();
}

std::size_t XYSeries::get_item_count() const {
  Guard guard(mutex_);
  return items_.size();
}
std::size_t XYSeries::get_maximum_item_count() const {
  Guard guard(mutex_);
  return most_;
}
void XYSeries::set_maximum_item_count(std::size_t most) {
  Guard guard(mutex_);
  most_ = most;
  while (items_.size() > most_) items_.erase(items_.begin());
}
double XYSeries::get_x(std::size_t index) const {
  Guard guard(mutex_);
  return items_.at(index).x;
}
double XYSeries::get_y(std::size_t index) const {
  Guard guard(mutex_);
  return items_.at(index).y;
}
std::optional<std::size_t> XYSeries::index_of(double x) const {
  Guard guard(mutex_);
  return find(x);
}

double XYSeries::value_of(const Item& item) { return item.y; }

double XYSeries::add_up() const {
  double total = 0;
  for (const Item& item : items_) {
    total += value_of(item);
  }
  return total;
}

double XYSeries::sum() const { return add_up(); }

double XYSeries::mean() const {
  const std::size_t count = get_item_count();
  return count == 0 ? 0 : sum() / static_cast<double>(count);
}

double XYSeries::get_min_y() const {
  Guard guard(mutex_);
  double least = 0;
  for (const Item& item : items_) least = std::min(least, item.y);
  return least;
}
double XYSeries::get_max_y() const {
  Guard guard(mutex_);
  double most = 0;
  for (const Item& item : items_) most = std::max(most, item.y);
  return most;
}
std::vector<Item> XYSeries::get_items() const {
  Guard guard(mutex_);
  return items_;
}
std::vector<double> XYSeries::to_array() const {
  Guard guard(mutex_);
  std::vector<double> values;
  for (const Item& item : items_) values.insert(values.end(), {item.x, item.y});
  return values;
}
std::unique_ptr<XYSeries> XYSeries::create_copy(std::size_t from, std::size_t to) const {
  auto copy = std::make_unique<XYSeries>(get_name());
  Guard guard(mutex_);
  for (std::size_t i = from; i <= to && i < items_.size(); ++i) copy->add(items_[i].x, items_[i].y);
  return copy;
}

std::string XYSeries::get_name() const {
  Guard guard(mutex_);
  return name_;
}
void XYSeries::set_name(const std::string& name) {
  Guard guard(mutex_);
  name_ = name;
}
std::string XYSeries::get_description() const {
  Guard guard(mutex_);
  return description_;
}
void XYSeries::set_description(const std::string& description) {
  Guard guard(mutex_);
  description_ = description;
}
void XYSeries::set_notify(bool notify) {
  Guard guard(mutex_);
  notify_ = notify;
}
bool XYSeries::get_notify() const {
  Guard guard(mutex_);
  return notify_;
}
int XYSeries::changes() const {
  Guard guard(mutex_);
  return changes_;
}

}  // namespace charts
